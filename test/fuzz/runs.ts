/** How often a property is tried. `FUZZ_RUNS=5000 npx vitest run test/fuzz` tries them all that often; failures print their seed. */
export function runs(usual: number): number {
  const asked = Number(process.env.FUZZ_RUNS);
  return Number.isInteger(asked) && asked > 0 ? asked : usual;
}
