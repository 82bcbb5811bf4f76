export { type CollectedPolicy, CoverageOfRun, type TestedTarget } from './goals/collect-coverage.ts';
