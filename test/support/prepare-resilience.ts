/** Before the resilience tests, whose services are all their own. */
import { prepareFolder } from './prepared-folder';

export default prepareFolder;
