/** A record on its way to where it is stored. */
export interface NewRecord<Column extends string = string> {
  readonly id: string;
  /** When it was received, in milliseconds. */
  readonly at: number;
  readonly row: Row<Column>;
}

/** The values of a row by its columns: a missing one is a compile error where the columns are known. */
export type Row<Column extends string> = Readonly<Record<Column, unknown>>;

export interface RecordStore<Column extends string = string> {
  /**
   * Takes a record in the turn of the event loop in which it got its receipt. Resolves once it is accepted, which is
   * also so for a repeat of one that is stored.
   *
   * @throws UnavailableError when it could not be; it may be stored all the same, and a repeat is safe.
   */
  add(record: NewRecord<Column>): Promise<void>;
}
