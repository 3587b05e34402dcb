/** `adtrail first-link`, and what `make run` and `make demo` say of the pages: how the first person gets in. */
import { askService, RefusedError, withAdminToken } from '../lib/ask-service';
import type { AdminTarget } from './target';

/**
 * A link that makes an operator, once, within a day; undefined where `unlessThereIs` and somebody operates the
 * installation already.
 */
export async function firstLink(
  { service, adminToken }: AdminTarget,
  unlessThereIs = false,
): Promise<string | undefined> {
  const path = `/auth/v1/first-link${unlessThereIs ? '?unless_there_is=true' : ''}`;
  const headers = withAdminToken(adminToken);
  try {
    return (await askService<{ link: string }>(service, path, { method: 'POST', headers })).link;
  } catch (error) {
    if (unlessThereIs && error instanceof RefusedError && error.status === 409) return undefined;
    throw error;
  }
}

/** Where the pages are, for who has just started the service. */
export async function describePages(target: AdminTarget): Promise<string> {
  const link = await firstLink(target, true);
  return link === undefined
    ? `Open the dashboard: ${target.service}/`
    : `Open the dashboard by this link, which signs you in once and asks for your name and a password:\n\n  ${link}`;
}
