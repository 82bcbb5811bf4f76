/** Prints what expressions read of a record of JSON lines: everything that generated code may be used for before an expression is evaluated. */
import { EDGE_V2 } from '@tollgate/catalog';
import { mayGenerateCode } from '@tollgate/diagnostics/portable';
import { readTraffic } from '@tollgate/traffic';
import { dialectOf } from '../../packages/simulator/src/exchange-state/dialect.ts';
import { recordedState } from '../../packages/simulator/src/exchange-state/recorded-state.ts';
import { activationBuilder } from '../../packages/simulator/src/variables/activation.ts';

async function* content() {
  yield new TextEncoder().encode('{"client_ip":"192.0.2.1","method":"GET","url":"https://e.co/a?b=c","status":200}\n');
}

for await (const { exchanges } of readTraffic('a.jsonl', { content: content() })) {
  const build = activationBuilder(EDGE_V2, { endpoint: 'https-route', phase: 'inbound' });
  const state = recordedState(exchanges[0]!, { dialect: dialectOf(EDGE_V2), assumptions: {} });
  console.log(JSON.stringify({ generates: mayGenerateCode(), activation: build(state) }));
}
