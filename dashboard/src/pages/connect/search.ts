/** For which tool the connection is shown, and what is looked for. */
import { choice, optionalText, Type } from '../../search';
import { TOOL_NAMES, type Tool } from './tools';

const [first, ...others] = TOOL_NAMES as [Tool, ...Tool[]];
export const connectSearch = Type.Object({ tool: choice([first, ...others]), search: optionalText('^[^]{1,100}$') });
