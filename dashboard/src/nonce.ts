/** The nonce of this answer: style elements that scripts make carry it, or the Content-Security-Policy drops them. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// Where get-nonce, which react-remove-scroll uses below Mantine's dialogs, looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });
