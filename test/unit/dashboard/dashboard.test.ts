/** What `npm run build` made of the dashboard: how much of it a first view loads, and what its page contains. */
import fs from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

const folder = path.resolve(__dirname, '..', '..', '..', 'dist', 'dashboard');
const assets = path.join(folder, 'assets');
const names = fs.readdirSync(assets);
const page = fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
const read = (name: string) => fs.readFileSync(path.join(assets, name));
const BUDGET = 300_000;

/** The modules that a module loads before it runs. */
const readImports = (name: string) =>
  [
    ...read(name)
      .toString()
      .matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g),
  ].map(([, one]) => one as string);

function listLoaded(entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    readImports(name).forEach(visit);
  };
  entries.forEach(visit);
  return [...seen];
}

const chunk = (start: string) => names.find((name) => name.startsWith(`${start}-`) && name.endsWith('.js')) as string;
const entries = [...page.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name]) => name as string);

test.each(['Overview', 'SignIn'])('the first view of %s loads at most 300 kB of JavaScript, and no chart', (name) => {
  const loaded = listLoaded([...entries, chunk(name)]);
  const size = loaded.reduce((sum, one) => sum + read(`${one}.br`).length, 0);
  expect(loaded.length).toBeGreaterThan(2);
  expect(size).toBeLessThanOrEqual(BUDGET);
  expect(loaded).not.toContain(chunk('echarts'));
  expect(read(chunk('echarts')).length).toBeGreaterThan(100_000);
});

test('every asset of text is there in Brotli, under a name with a hash', () => {
  const texts = names.filter((name) => /\.(js|css|svg)$/.test(name));
  expect(texts.length).toBeGreaterThan(5);
  for (const name of texts) {
    expect(name).toMatch(/-[\w-]{8}\.\w+$/);
    expect(brotliDecompressSync(read(`${name}.br`)).equals(read(name))).toBe(true);
  }
});

test('the page has no code, no style and no address of another host in it', () => {
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/);
  expect(page.match(/%nonce%/g)).toHaveLength(1);
});

test('styles ask no other host', () => {
  for (const name of names.filter((one) => one.endsWith('.css')))
    expect(read(name).toString()).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
});
