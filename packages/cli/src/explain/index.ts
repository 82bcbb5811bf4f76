export { CODE_PAGES, type CodePage } from '../codes/code-table.ts';
export { IMPACT_MEMBERS } from '../impact/impact-members.ts';
export type { JsonMember } from '../output/json-member.ts';
export { DECISION_MEMBERS, REPLAY_MEMBERS } from '../replay/formats/replay-members.ts';
export { TRACE_MEMBERS } from '../trace/json/trace-members.ts';
export { type ExampleFinding, exampleFindings, fullText } from './example-findings.ts';
export { markdownPage } from './markdown-page.ts';
export { pageStatus } from './page-facts.ts';
