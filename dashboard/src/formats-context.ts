/** The formats of what is shown to who is not signed in: of the project that it is of. */
import { createContext } from 'react';
import type { Formats } from './format';

export const FormatsContext = createContext<Formats | undefined>(undefined);
