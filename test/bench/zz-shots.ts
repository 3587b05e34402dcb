import fs from 'node:fs';
import path from 'node:path';
import { startDemo } from './demo-service';
import { launch, openPage } from '../support/chromium';
const out = '/tmp/adtrail-f/shots';
async function main() {
  const folder = fs.mkdtempSync('/tmp/adtrail-f/demo-');
  const { link, stop } = await startDemo(folder, { LOG_LEVEL: 'error' });
  const { origin, hash } = new URL(link);
  const chromium = await launch();
  const { page, problems } = await openPage(chromium, origin);
  try {
    await page.goto(`${origin}/sign-in`);
    await page.evaluate(async (token) => {
      const body = JSON.stringify({ token, email: 'ann@demo.example', name: 'Ann', password: 'a password of the benchmark' });
      await fetch('/auth/v1/links/follow', { method: 'POST', body });
    }, hash.slice(1));
    const shown = async () => { await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('.mantine-Skeleton-root[data-visible], [aria-busy="true"], [data-stale]') === null); await page.waitForTimeout(400); };
    const shot = (name: string, full = true) => page.screenshot({ path: path.join(out, `${name}.png`), fullPage: full });
    const P = `${origin}/projects/1`;
    const times: number[] = [];
    for (let i = 0; i < 4; i++) { const t = performance.now(); await page.goto(`${P}/overview`); await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('.mantine-Skeleton-root[data-visible], [aria-busy="true"]') === null, undefined, { polling: 'raf' }); times.push(Math.round(performance.now() - t)); }
    console.log('overview', times.join(' '));
    await shown();
    // click a point in the first curve
    const chart = page.locator('main [role=group][tabindex="0"]').first();
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.6);
    await page.waitForTimeout(300);
    await shot('overview-menu', false);
    console.log('menu', await page.locator('[role=menuitem]').allTextContents());
    await page.getByRole('menuitem', { name: /Add a note/ }).click();
    await page.getByLabel('What happened').fill('Price raised to 4.99');
    await shot('note-form', false);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForTimeout(700);
    await shown();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.6);
    await page.waitForTimeout(400);
    await shot('overview-noted');
    await chart.focus(); await page.keyboard.press('End'); await page.keyboard.press('ArrowLeft'); await page.keyboard.press('ArrowLeft'); await page.waitForTimeout(200); await page.keyboard.press('Enter'); await page.waitForTimeout(300);
    console.log('menu by key', await page.locator('[role=menuitem]').allTextContents());
    await shot('overview-keys', false);
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('?'); await page.waitForTimeout(500); await shot('shortcuts', false); await page.keyboard.press('Escape'); await page.waitForTimeout(300);
    await page.keyboard.press('g'); await page.keyboard.press('e'); await page.waitForTimeout(1200); console.log('g e ->', page.url());
    await shown(); await shot('explore');
    await page.goto(`${P}/explore?by=%5B%22channel%22%5D&compare=previous_period`); await shown(); await shot('explore-channel');
    await page.goto(`${P}/explore?by=%5B%5D&compare=previous_period`); await shown();
    const ch2 = page.locator('main [role=group][tabindex="0"]').first(); const b2 = (await ch2.boundingBox())!; await page.mouse.move(b2.x + b2.width * 0.6, b2.y + b2.height * 0.5); await page.waitForTimeout(400);
    await shot('explore-compare');
    await page.goto(`${P}/web`); await shown(); await shot('web');
    // board
    const board = await page.evaluate(async () => {
      const headers = { 'project-id': '1', 'Content-Type': 'application/json' };
      const made = await (await fetch('/api/v1/boards', { method: 'POST', headers, body: JSON.stringify({ name: 'Partners', template: 'partner', annotations: true }) })).json();
      return made.id as number;
    });
    await page.goto(`${P}/boards/${board}`); await shown(); await shot('board');
    await page.pdf({ path: path.join(out, 'board.pdf'), format: 'A4', printBackground: true });
    await page.emulateMedia({ media: 'print' }); await page.setViewportSize({ width: 794, height: 1100 }); await page.waitForTimeout(400); await shot('board-print'); await page.emulateMedia({ media: 'screen' }); await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Arrange' }).click(); await page.waitForTimeout(800); await shot('board-arrange', false);
    await page.goto(`${P}/alerts?edit=new`); await shown(); await page.waitForTimeout(500); await shot('alert-form', false);
    for (const name of ['overview', 'spend', 'retention', 'settings']) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${P}/${name}`); await shown(); await shot(`${name}-1280`);
      await page.setViewportSize({ width: 390, height: 800 }); await page.waitForTimeout(400); await shot(`${name}-390`);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' }); await page.waitForTimeout(400); await shot(`${name}-dark`); await page.emulateMedia({ colorScheme: 'light' });
    }
  } catch (e) { console.log('ERR', e); await page.screenshot({ path: path.join(out, 'error.png') }); }
  console.log('problems', problems);
  await chromium.close(); await stop(); fs.rmSync(folder, { recursive: true, force: true });
}
void main();
