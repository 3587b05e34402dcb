/** Answers with a change once this process knows of it; the others hear of it from PostgreSQL. */
export const inForce =
  (refresh: () => Promise<void>) =>
  async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await refresh();
    return result;
  };
