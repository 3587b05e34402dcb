/** The mark of the product. */
import icon from '../icon.svg';

export const Logo = ({ size = 26 }: { size?: number }) => <img src={icon} width={size} height={size} alt="" />;
