export { TRACE_MEMBERS, type TraceMember } from '../trace/trace-members.ts';
export { CODE_PAGES, type CodePage } from './code-table.ts';
export { type ExampleFinding, exampleFindings, fullText } from './example-findings.ts';
export { markdownPage } from './markdown-page.ts';
export { pageStatus } from './page-facts.ts';
