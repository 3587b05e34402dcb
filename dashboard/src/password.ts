/** The rule for passwords, as the service has it. */
import { texts } from './texts';

const SHORTEST = 12;

export const passwordError = (password: string): string | null =>
  password.length < SHORTEST ? texts.people.welcome.passwordTooShort : null;
