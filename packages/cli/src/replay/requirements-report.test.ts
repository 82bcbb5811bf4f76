import { describe, expect, it } from 'vitest';
import { neededInputs, requirementsReport } from './requirements-report.ts';

const LAYOUT = { paint: (_: unknown, text: string) => text, width: 80 };

describe('the report on what a policy needs', () => {
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

  it('has a line for each field, and tells which a usual log lacks', () => {
    const report = requirementsReport({ name: 'p.yaml', endpoint: 'https-route', inputs, recordings: [] }, LAYOUT);
    expect(report.split('\n')).toEqual([
      'p.yaml (https-route) needs of a recording',
      '',
      '  input                             field                              in usual logs  for',
      '  req.ContentLength                 request_headers.Content-Length     no             inbound 1',
      '                                    request_headers.Transfer-Encoding  no',
      '                                    method                             yes',
      '                                    protocol                           yes',
      '  conn.Geo.CountryCode              country                            with --geoip   inbound 1',
      '  req.Path                          target                             yes            inbound 2, …',
      '  conn.Geo.LatLongRadiusKm          –                                  with --geoip   inbound 2',
      '  whether the client has signed in  –                                  never          inbound 2 o…',
      '',
      'What is in no recording stays open, and is reported as undetermined where it',
      'counts.',
      '',
    ]);
  });

  it('says so where nothing is needed', () => {
    const report = requirementsReport({ name: 'p.yaml', endpoint: 'https-route', inputs: [], recordings: [] }, LAYOUT);
    expect(report).toBe('p.yaml (https-route) needs nothing of a recording: what it does is always the same\n');
  });
});
