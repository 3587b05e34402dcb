/**
 * How much of a scenario is played: a few rounds of it in `make test`, all in `make test-soak`. What is random in it
 * comes from one seed, which the run prints last: TEST_SEED=N plays the same again.
 */
import path from 'node:path';

export const isSoak = process.env.SOAK === 'true';

/** `few` of something in a run that people wait for, `all` in one that they do not. */
export const rounds = (few: number, all: number): number => (isSoak ? all : few);

/** Random numbers from 0 to below 1, others in each test file, the same for the same TEST_SEED. */
export function seeded(): () => number {
  const name = path.basename(expect.getState().testPath ?? '');
  const own = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) as number)) | 0, 0);
  return generator(Number(process.env.TEST_SEED) ^ own);
}

/** `few` of the entries, drawn by `random`, in their order; all of them in a soak. */
export function some<T>(entries: readonly T[], few: number, random: () => number): readonly T[] {
  const drawn = entries.map((_, index) => ({ index, at: random() })).sort((a, b) => a.at - b.at);
  const kept = new Set(drawn.slice(0, rounds(few, entries.length)).map(({ index }) => index));
  return entries.filter((_, index) => kept.has(index));
}

/** Repeatable random numbers from 0 to below 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
