/** A record on its way to where it is stored. */
export interface NewRecord {
  readonly id: string;
  /** When it was received, in milliseconds. */
  readonly at: number;
  /** Its row as a line of JSONCompactEachRow, whose first value is the ID. */
  readonly line: string;
}

export interface RecordStore {
  /**
   * Takes a record in the turn of the event loop in which it got its receipt. Resolves once it is accepted, which is
   * also so for a repeat of one that is stored.
   *
   * @throws UnavailableError when it could not be; it may be stored all the same, and a repeat is safe.
   */
  add(record: NewRecord): Promise<void>;
}
