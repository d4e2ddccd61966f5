import { describe, expect, it, test } from '@jest/globals';
import { archiveFindings } from '../../cli/doctor/archive-checks.ts';
import type { Finding } from '../../cli/doctor/finding.ts';
import type { Account } from '../../cli/doctor/rights.ts';
import { resolveSettings } from '../../cli/settings/settings.ts';

test('signalbox doctor warns of an installation without an archive', async () => {
  expect(await findingsFor('worker', { SIGNALBOX_ARCHIVE_STORE: 'none' })).toMatchObject([
    {
      state: 'warning',
      message: expect.stringContaining('forgotten'),
      remedy: expect.stringContaining('docs/archive.md'),
    },
  ]);
});

describe('a bucket that cannot be asked', () => {
  const env = {
    ...{ SIGNALBOX_ARCHIVE_STORE: 's3', SIGNALBOX_ARCHIVE_BUCKET: 'archive' },
    // Nobody listens there.
    ...{ SIGNALBOX_ARCHIVE_ENDPOINT: 'http://127.0.0.1:1', AWS_REGION: 'us-east-1' },
  };
  const remedy = expect.stringContaining('SIGNALBOX_ARCHIVE_BUCKET');

  it('is a fault for a worker, whose jobs would leave no record', async () => {
    expect((await findingsFor('worker', env))[0]).toMatchObject({ state: 'fault', check: 'store', remedy });
  });

  it('is a warning for who only reads', async () => {
    expect((await findingsFor('user', env))[0]).toMatchObject({ state: 'warning', check: 'store', remedy });
  });
});

async function findingsFor(account: Account, env: Readonly<Record<string, string>>): Promise<Finding[]> {
  const settings = resolveSettings({ flags: {}, env, sandbox: () => undefined });
  const findings: Finding[] = [];
  for await (const finding of archiveFindings(settings, account)) findings.push(finding);
  return findings;
}
