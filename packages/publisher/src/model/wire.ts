import { detectProfile } from '@tollgate/policy';
import { type Canonical, phasesOf } from './canonical.ts';
import type { JsonObject } from './json.ts';
import type { ModuleName } from './record.ts';

/** How a module is sent: `traffic_policy` takes policies of any profile as a string, `policy` those of `edge-v2` as an object. */
interface WireModule {
  readonly field: ModuleName | 'traffic_policy';
  readonly body: JsonObject;
}

/** Returns the body that replaces a module. */
export function wireModule(module: ModuleName, value: NonNullable<Canonical>): WireModule {
  if (module !== 'policy') return { field: module, body: value };
  const phases = phasesOf(value);
  const { enabled = true } = value;
  const text = JSON.stringify(phases);
  if (detectProfile(text).profile.name !== 'edge-v2') {
    return { field: 'traffic_policy', body: { enabled, value: text } };
  }
  return { field: 'policy', body: { enabled, inbound: phases.inbound ?? null, outbound: phases.outbound ?? null } };
}
