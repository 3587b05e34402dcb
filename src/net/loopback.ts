/** Whether who listens at this address or name is reached from its own machine alone. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
