/** For which tool the connection is shown. */
import { choice, Type } from '../../search';

export const TOOLS = ['metabase', 'grafana', 'dbeaver', 'python', 'curl', 'client'] as const;
export type Tool = (typeof TOOLS)[number];
export const connectSearch = Type.Object({ tool: choice(TOOLS) });
