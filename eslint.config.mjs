import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Wrong on Node 20, see src/lib/parse-url.ts. */
const CAN_PARSE = { object: 'URL', property: 'canParse', message: 'parseUrl reads URLs.' };

/** Names say what they give, in a verb. The words of JSON Schema are its own, and members of others are left alone. */
const NAME_RULE = {
  selector: ':not(MemberExpression) > Identifier[name=/^(?!(any|all|one)Of$).+Of$/]',
  message: 'A name says what it gives, in a verb: readCampaignId, not campaignOf.',
};

/** Refuses comments whose first word is "Of": what is said would come after what it is said about. */
const commentRule = {
  create: ({ sourceCode, report }) => ({
    Program: () =>
      sourceCode
        .getAllComments()
        .filter(({ value }) => /^[\s*]*Of\b/.test(value))
        .forEach((comment) => report({ loc: comment.loc, message: 'Begin with what is said, not with "Of".' })),
  }),
};

export default tseslint.config(
  { ignores: ['**/dist/**', 'node_modules/**', '**/generated.ts', '**/generated-*.ts'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { words: { rules: { 'no-comment-of': commentRule } } },
    rules: {
      'no-restricted-syntax': ['error', NAME_RULE],
      'words/no-comment-of': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/http/router.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [{ name: '@koa/router', allowTypeImports: true, message: 'createRouter makes one that minds case.' }],
        },
      ],
    },
  },
  // A browser's is right.
  { files: ['src/**/*.ts'], rules: { 'no-restricted-properties': ['error', CAN_PARSE] } },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli.ts', 'src/embedded/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        CAN_PARSE,
        { object: 'process', property: 'env', message: 'config.ts reads the environment, from what cli.ts hands it.' },
      ],
    },
  },
  ...['s2s', 'typescript'].map((name) => ({
    files: [`clients/${name}/**`],
    languageOptions: {
      parserOptions: { project: `./clients/${name}/tsconfig.json`, tsconfigRootDir: import.meta.dirname },
    },
  })),
  {
    files: ['dashboard/**'],
    languageOptions: {
      parserOptions: { project: './dashboard/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
    },
  },
  {
    files: ['dashboard/src/**'],
    ignores: ['dashboard/src/components/layers.tsx', 'dashboard/src/theme.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@mantine/core',
              importNames: ['Modal', 'Drawer'],
              message: 'components/layers.tsx has those of which Escape closes one.',
            },
          ],
        },
      ],
    },
  },
  { files: ['**/*.mjs', '**/*.js'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['src/browser/*.js'],
    languageOptions: {
      globals: {
        window: 'readonly',
        document: 'readonly',
        navigator: 'readonly',
        URL: 'readonly',
        // What the build puts in.
        CLICK_ID_PARAMETERS: 'readonly',
        EXCLUDED_REFERRERS: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: {
        __dirname: 'readonly',
        module: 'writable',
        process: 'readonly',
        require: 'readonly',
        setTimeout: 'readonly',
      },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
