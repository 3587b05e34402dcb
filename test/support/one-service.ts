/**
 * One service with engines of its own for the scenarios of a test file: each begins with it restarted, with variables
 * of its own, and works on projects and IDs that no other has. It costs a start of processes, and not one of engines.
 */
import { startService, type RunningService } from './service';

/**
 * Starts the service, or restarts it, with these variables, which its restarts have too unless they name others. What
 * it wrote before is left out.
 */
export type Begin = (env?: NodeJS.ProcessEnv) => Promise<RunningService>;

/** For the top of a test file; the service ends with it. */
export function oneService(): Begin {
  let service: RunningService | undefined;
  afterAll(() => service?.dispose());
  return async (env = {}) => {
    if (service) {
      await service.stop();
      await service.restart(env);
    } else service = await startService(env);
    const same = service;
    const before = same.output().length;
    return Object.create(same, {
      restart: { value: (more = env) => same.restart(more) },
      output: { value: () => same.output().slice(before) },
    }) as RunningService;
  };
}
