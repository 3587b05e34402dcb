/** Where macros go: to the field that was typed in last, and at first to the URL. */
import { useRef, type FocusEvent } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;
/** A number is a header's place in the list. */
export type FieldPlace = 'url' | 'body' | number;

/** `setText` puts a text into a field of the form. */
export function useMacroTarget(setText: (place: FieldPlace, text: string) => void) {
  const url = useRef<HTMLTextAreaElement>(null);
  const last = useRef<{ field: Field; place: FieldPlace }>(undefined);
  return {
    url,
    /** For a field that takes macros. */
    receives: (place: FieldPlace) => ({
      onFocus: ({ currentTarget }: FocusEvent<Field>) => {
        last.current = { field: currentTarget, place };
      },
    }),
    insert: (name: string) => {
      const known = last.current?.field.isConnected ? last.current : undefined;
      const field = known?.field ?? url.current;
      if (!field) return;
      const macro = `{${name}}`;
      const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
      setText(known?.place ?? 'url', field.value.slice(0, start) + macro + field.value.slice(end));
      // Once the field has its new value, the cursor stands behind the macro.
      requestAnimationFrame(() => {
        field.focus();
        field.setSelectionRange(start + macro.length, start + macro.length);
      });
    },
  };
}
