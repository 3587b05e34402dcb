/** Colours by what is drawn, not by its place: a channel keeps its colour when another one overtakes it. */

/** A number of a text, the same everywhere. */
function hash(text: string): number {
  let value = 2166136261;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return value;
}

/** What most projects have gets colours that differ. */
const FIXED = ['google', 'meta', 'tiktok', 'direct', 'organic', 'email', 'apple', 'affiliate'];

/** The place of each in a list of `count` colours; two get the same only where there are more of them than colours. */
export function chooseColors(entities: readonly string[], count: number): Map<string, number> {
  const chosen = new Map<string, number>();
  const wanted = (entity: string) => {
    const at = FIXED.indexOf(entity.toLowerCase());
    return (at < 0 ? hash(entity) : at) % count;
  };
  // Those of the fixed list first, then by name: whoever is drawn beside them changes as little as possible.
  const inOrder = [...new Set(entities)].sort((a, b) => {
    const isLater = (one: string) => Number(!FIXED.includes(one.toLowerCase()));
    return isLater(a) - isLater(b) || (a < b ? -1 : 1);
  });
  for (const entity of inOrder) {
    let at = wanted(entity);
    if (chosen.size < count) while ([...chosen.values()].includes(at)) at = (at + 1) % count;
    chosen.set(entity, at);
  }
  return chosen;
}

/** The place of the colour of each series: by what it is of, else by its place among them. */
export function pickColors(series: readonly { readonly entity?: string }[], count: number): number[] {
  const places = chooseColors(
    series.flatMap(({ entity }) => entity ?? []),
    count,
  );
  return series.map(({ entity }, at) => (entity === undefined ? at % count : (places.get(entity) ?? at % count)));
}
