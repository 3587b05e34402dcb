/** The editor of a statement: completion, colours and the place of an error. Tab leaves it, as it leaves a field. */
import {
  autocompletion,
  closeBrackets,
  closeCompletion,
  completionKeymap,
  completionStatus,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { sql, SQLDialect } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { SqlSchema } from '../../api/sql';
import { nonce } from '../../nonce';
import { engineers as engineersTexts } from '../../texts/engineers';
import { KEYWORDS, listOffers } from './completion';
import { locateError } from './locate';
import classes from './Sql.module.css';

const text = engineersTexts.sql;
const MAX_LENGTH = 100_000;

const dialect = SQLDialect.define({
  keywords: KEYWORDS.join(' ').toLowerCase(),
  backslashEscapes: true,
  identifierQuotes: '`"',
  caseInsensitiveIdentifiers: false,
});
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--sql-keyword)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--sql-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sql-number)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--sql-comment)', fontStyle: 'italic' },
]);

/**
 * Typing over a selection: the browser's own way sets an inline style on what it inserts, which the page's policy
 * refuses and reports. The page is asked for the selection, as the editor may not have seen it yet.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, editor) {
    const selection = document.getSelection();
    if (event.inputType !== 'insertText' || event.data === null || selection?.type !== 'Range') return false;
    const range = selection.getRangeAt(0);
    event.preventDefault();
    const from = editor.posAtDOM(range.startContainer, range.startOffset);
    const to = editor.posAtDOM(range.endContainer, range.endOffset);
    const insert = editor.state.toText(event.data);
    editor.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

/** Names that are still looked for when the editor is left would open above the page, and stay. */
const stopOffering = EditorView.domEventHandlers({
  blur(_, editor) {
    if (completionStatus(editor.state) === 'pending') closeCompletion(editor);
  },
});

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onRun: (value: string) => void;
  readonly schema: SqlSchema | undefined;
  /** What ClickHouse said of this statement. */
  readonly error: { readonly statement: string; readonly message: string } | undefined;
}

/** The columns, views and functions that fit what stands before the cursor. */
const completeFrom =
  (readSchema: () => SqlSchema | undefined): CompletionSource =>
  (context) => {
    const schema = readSchema();
    const word = context.matchBefore(/\w*/);
    if (!schema || !word || (word.from === word.to && !context.explicit && !context.matchBefore(/\w\.$/))) return null;
    const before = /(\w+)\.$/.exec(context.state.sliceDoc(Math.max(0, word.from - 100), word.from))?.[1];
    return { from: word.from, options: listOffers(schema, context.state.doc.toString(), before), validFor: /^\w*$/ };
  };

export function Editor({ value, onChange, onRun, schema, error }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ onChange, onRun, schema });
  useEffect(() => void (latest.current = { onChange, onRun, schema }));
  useEffect(() => {
    const editor = new EditorView({
      parent: parent.current as HTMLDivElement,
      state: EditorState.create({ doc: value, extensions: extensionsFor(latest) }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The editor keeps its own text; the next effect brings in one from elsewhere.
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const isCurrent = error !== undefined && error.statement === editor.state.doc.toString();
    const place = isCurrent ? locateError(error.statement, error.message) : undefined;
    const found = place ? [{ ...place, severity: 'error' as const, message: error?.message ?? '' }] : [];
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [error, value]);
  return <div ref={parent} className={classes.editor} />;
}

type Latest = { readonly current: Pick<Props, 'onChange' | 'onRun' | 'schema'> };

const extensionsFor = (latest: Latest) => [
  EditorView.cspNonce.of(nonce),
  lineNumbers(),
  history(),
  bracketMatching(),
  closeBrackets(),
  typeOverSelection,
  stopOffering,
  sql({ dialect }),
  syntaxHighlighting(colours),
  autocompletion({ override: [completeFrom(() => latest.current.schema)], maxRenderedOptions: 60 }),
  placeholder('SELECT'),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': text.editor, spellcheck: 'false', autocapitalize: 'off' }),
  EditorState.changeFilter.of(({ newDoc }) => newDoc.length <= MAX_LENGTH),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) latest.current.onChange(update.state.doc.toString());
  }),
  Prec.highest(
    keymap.of([
      {
        key: 'Mod-Enter',
        run: (editor) => {
          closeCompletion(editor);
          latest.current.onRun(editor.state.doc.toString());
          return true;
        },
      },
    ]),
  ),
  // Without a binding for Tab, which goes on to the next field.
  keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
];
