/** After the resilience tests. */
import { removePreparedFolder } from './prepared-folder';

export default removePreparedFolder;
