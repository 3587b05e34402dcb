/** After the integration tests: stops the service that they shared, and removes its folder. */
import { withdrawSharedService } from './shared-service';

export default withdrawSharedService;
