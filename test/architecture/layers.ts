/** The constraints of a package. */
interface PackageRule {
  readonly layer: number;
  /** Third-party packages that its sources may import. */
  readonly thirdParty: readonly string[];
  /** Modules that the program in which it runs provides. */
  readonly provided?: readonly string[];
  /** Packages of the same layer that it may import, each with the reason. */
  readonly exceptions?: Readonly<Record<string, string>>;
}

/** The layers: a package imports only packages of lower layers. */
export const LAYERS: Readonly<Record<string, PackageRule>> = {
  diagnostics: { layer: 0, thirdParty: ['@noble/hashes'] },
  catalog: { layer: 0, thirdParty: [] },
  cel: { layer: 1, thirdParty: ['chevrotain', 're2js'] },
  'edge-api': {
    layer: 0,
    thirdParty: ['zod'],
    exceptions: { catalog: 'both name the webhook providers, which the catalog lists' },
  },
  traffic: { layer: 1, thirdParty: [] },
  policy: { layer: 2, thirdParty: ['@noble/hashes', 'mdast-util-from-markdown', 'micromark-extension-mdx-md', 'yaml'] },
  describe: { layer: 3, thirdParty: [] },
  simulator: { layer: 3, thirdParty: ['@noble/hashes'] },
  compile: { layer: 4, thirdParty: [] },
  solver: { layer: 4, thirdParty: [] },
  lint: { layer: 5, thirdParty: ['@eslint-community/regexpp', 'scslre'] },
  core: { layer: 6, thirdParty: [] },
  reports: { layer: 6, thirdParty: [] },
  'edge-server': {
    layer: 7,
    thirdParty: ['@opentelemetry/api', 'fastify', 'kysely', 'pg', 'prom-client', 'yaml', 'zod'],
  },
  'language-server': {
    layer: 7,
    thirdParty: ['vscode-languageserver', 'vscode-languageserver-protocol', 'vscode-languageserver-types'],
  },
  'traffic-node': { layer: 7, thirdParty: ['@duckdb/node-api', 'mmdb-lib'] },
  query: {
    layer: 7,
    thirdParty: ['@aws-sdk/client-athena', '@duckdb/node-api', 'hive-driver', 'pg'],
    exceptions: { 'traffic-node': 'recordings are inspected and audited where they are opened' },
  },
  publisher: { layer: 7, thirdParty: [] },
  enforce: { layer: 7, thirdParty: ['@bufbuild/protobuf', 'jose'] },
  cli: {
    layer: 8,
    thirdParty: ['@modelcontextprotocol/server', 'chokidar', 'commander', 'prom-client', 'yaml', 'zod'],
  },
  vscode: {
    layer: 9,
    thirdParty: ['vscode-languageclient'],
    provided: ['vscode'],
    exceptions: { playground: 'in a browser, both read settings without Node' },
  },
  playground: {
    layer: 9,
    thirdParty: [
      ...['@codemirror/autocomplete', '@codemirror/commands', '@codemirror/language', '@codemirror/lint'],
      ...['@codemirror/lsp-client', '@codemirror/search', '@codemirror/state', '@codemirror/view'],
      ...['fflate', 'fzstd', 'minimatch'],
    ],
  },
};

/** Maximum length of files and functions, in lines, and of lists of parameters. */
export const MAX_FILE_LINES = 800;
export const MAX_FUNCTION_LINES = 80;
export const MAX_PARAMETERS = 6;

/** Maximum number of source files in a folder, without tests and subfolders. */
export const MAX_FOLDER_FILES = 20;

/** Data files without a line limit, by path from the root, each with the reason. */
export const CEILING_EXEMPT: Readonly<Record<string, string>> = {};
