/** Brings a legal workspace document to its one form: codes in capitals, names of channels as people see them. */
import { readCurrency, readNetwork } from '../lib/codes';
import { normaliseText } from '../lib/text';
import type { ProjectDocument, ProjectSettings, WorkspaceDocument } from './document';

/** Changes the document itself, which may be large. */
export function unifyWorkspace(document: WorkspaceDocument): WorkspaceDocument {
  for (const rate of document.exchange_rates ?? []) unify(rate, 'currency', readCurrency);
  for (const project of document.projects ?? []) unifyProject(project);
  return document;
}

/** The same of what changes in one project. */
export function unifyProject<T extends ProjectDocument | ProjectSettings>(project: T): T {
  const parts: ProjectSettings = project;
  unify(parts, 'currency', readCurrency);
  for (const account of parts.network_accounts ?? []) {
    unify(account, 'network', readNetwork);
    unify(account, 'currency', readCurrency);
  }
  for (const campaign of parts.campaigns ?? []) {
    unify(campaign, 'network', readNetwork);
    unify(campaign, 'custom_channel', normaliseText);
  }
  const windows = parts.attribution?.click_window_days;
  if (parts.attribution && windows)
    parts.attribution.click_window_days = Object.fromEntries(
      Object.entries(windows).map(([network, days]) => [readWindowName(network), days]),
    );
  return project;
}

const readWindowName = (network: string) =>
  network.toLowerCase() === 'default' ? 'default' : (readNetwork(network) ?? network);

function unify<Field extends string>(
  one: { [Name in Field]?: string | null },
  field: Field,
  read: (text: string) => string | undefined,
): void {
  const value = one[field];
  if (typeof value === 'string') one[field] = read(value) ?? value;
}
