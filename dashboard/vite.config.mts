/** How the dashboard is built: into dist/dashboard, with hashed names, and compressed ahead. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { AcceptedPlugin } from 'postcss';
import presetMantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';

const root = path.join(import.meta.dirname, 'src');
const outDir = path.join(import.meta.dirname, '..', 'dist', 'dashboard');
const TEXT = /\.(js|css|svg|json|webmanifest)$/;

/** Puts `<file>.br` beside each asset of text: the service sends it to all who take Brotli. */
const compressAhead: Plugin = {
  name: 'compress-ahead',
  writeBundle() {
    const assets = path.join(outDir, 'assets');
    for (const name of readdirSync(assets).filter((one) => TEXT.test(one))) {
      const content = readFileSync(path.join(assets, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(content, { params }));
    }
  },
};

export default defineConfig({
  root,
  base: '/',
  publicDir: false,
  plugins: [compressAhead],
  // The typed client as it is in the sources.
  resolve: { tsconfigPaths: true },
  css: { postcss: { plugins: [(presetMantine as () => AcceptedPlugin)()] } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // Everything small stays a file too: the Content-Security-Policy allows no inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark modules for servers that render React; there is none here.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
});
