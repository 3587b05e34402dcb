/** What a process of the service does; `ROLES` names those of one process (docs/configuration.md). */
export const PROCESS_ROLES = ['api', 's2s', 'links', 'collect', 'attribution'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];
