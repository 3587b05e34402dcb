import { joinCalls, joinCallsBy } from '../../../src/lib/joined';

/** Work that ends when it is told to, and says how often it was begun. */
function stoppable() {
  const ends: ((failure?: Error) => void)[] = [];
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const number = ends.length;
      ends.push((failure) => (failure ? reject(failure) : resolve(number)));
    });
  return { ends, work };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('joined calls', () => {
  it('are answered by what was begun after they were made', async () => {
    const { ends, work } = stoppable();
    const call = joinCalls(work);
    const first = call();
    const [second, third] = [call(), call()];
    expect(ends).toHaveLength(1);
    ends[0]?.();
    expect(await first).toBe(0);
    await settle();
    expect(ends).toHaveLength(2);
    // The second time has begun already: it may lack what was written since.
    const fourth = call();
    ends[1]?.();
    expect(await Promise.all([second, third])).toEqual([1, 1]);
    await settle();
    ends[2]?.();
    expect(await fourth).toBe(2);
  });

  it('fail with their own work alone', async () => {
    const { ends, work } = stoppable();
    const call = joinCalls(work);
    const first = call();
    const second = call();
    ends[0]?.(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await settle();
    ends[1]?.();
    expect(await second).toBe(1);
    const third = call();
    ends[2]?.();
    expect(await third).toBe(2);
  });

  it('are joined by their key', async () => {
    const begun: string[] = [];
    const call = joinCallsBy(async (key: string) => {
      begun.push(key);
      await settle();
      return key;
    });
    expect(await Promise.all(['a', 'b', 'a', 'a', 'b'].map(call))).toEqual(['a', 'b', 'a', 'a', 'b']);
    expect(begun.sort()).toEqual(['a', 'a', 'b', 'b']);
  });
});
