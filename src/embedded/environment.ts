/** What engine processes get of the service's environment. */

/** What programs need to find each other, their language and their temporary files. Secrets are not among it. */
const NEEDED = /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP|TZ|LANG|LANGUAGE|LC_\w+|LD_LIBRARY_PATH|DYLD_\w+)$/;

export function engineEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
}
