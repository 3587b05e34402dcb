/** Text within HTML. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text as HTML has it, within an element or a quoted attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (one) => ENTITIES[one] as string);
