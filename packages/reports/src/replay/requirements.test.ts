import { describe, expect, it } from 'vitest';
import { neededInputs, textRequirements } from './requirements.ts';

const LAYOUT = { paint: (_: unknown, text: string) => text, width: 80 };

describe('the requirements of a policy', () => {
  const inputs = neededInputs([
    {
      ...{ phase: 'inbound', index: 0, name: 'a', conditions: ['req.ContentLength', 'conn.Geo.CountryCode'] },
      actions: [{ type: 'deny', needs: [] }],
    },
    {
      ...{ phase: 'inbound', index: 1, name: undefined, conditions: ['req.Path', 'conn.Geo.LatLongRadiusKm'] },
      actions: [{ type: 'oauth', needs: ['whether the client has signed in', 'req.Path'] }],
    },
  ]);

  it('has a row for each field, and shows which ones common logs lack', () => {
    const report = textRequirements({ name: 'p.yaml', endpoint: 'https-route', inputs, recordings: [] }, LAYOUT);
    expect(report.split('\n')).toEqual([
      'p.yaml (https-route) needs these recorded fields',
      '',
      '  input                             field                              in common logs  for',
      '  req.ContentLength                 request_headers.Content-Length     no              inbound 1',
      '                                    request_headers.Transfer-Encoding  no',
      '                                    method                             yes',
      '                                    protocol                           yes',
      '  conn.Geo.CountryCode              country                            with --geoip    inbound 1',
      '  req.Path                          target                             yes             inbound 2, …',
      '  conn.Geo.LatLongRadiusKm          –                                  with --geoip    inbound 2',
      '  whether the client has signed in  –                                  never           inbound 2 o…',
      '',
      'Inputs that no recording contains stay unknown; where they decide, the result is',
      'undetermined.',
      '',
    ]);
  });

  it('says so if nothing is required', () => {
    const report = textRequirements({ name: 'p.yaml', endpoint: 'https-route', inputs: [], recordings: [] }, LAYOUT);
    expect(report).toBe('p.yaml (https-route) needs no recorded field: it decides every request the same way\n');
  });
});
