/** The package brings no types; this is what we call of it. */
declare module 'fs-native-extensions' {
  /** Asks for an exclusive lock on an open file; false when somebody else has it. */
  export function tryLock(fd: number): boolean;
}
