import { describe, expect, test } from '@jest/globals';
import { checkArtifacts } from '../../../frameworks/manifest/declared-artifacts.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';

const INPUTS = 'signalbox.dev/inputs';
const PATH = `metadata.annotations[${INPUTS}]`;
const SHA = `sha256:${'0f'.repeat(32)}`;

const faultsOf = (text: string) =>
  checkArtifacts({ [INPUTS]: text }).map(({ path, expected, got }) => [path, expected, got]);

describe('declared inputs and outputs', () => {
  test.each([
    ['a place', '- {name: corpus, uri: "s3://data/corpus.tar"}'],
    ['a digest', `- {name: corpus, digest: "${SHA}"}`],
    ['both', `${`- name: corpus\n  uri: https://example.com/a b`.replace(' b', '')}\n  digest: ${SHA}`],
    [
      'the commit of a source',
      `[{"name":"code","uri":"git+https://x/y","digest":"gitCommit:${'a'.repeat(40)}"}]`,
    ],
    ['nothing at all', '[]'],
  ])('may have %s', (_what, text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    ['a mapping', 'name: corpus', PATH, 'a list of name, uri and digest', 'an object'],
    ['neither uri nor digest', '- name: corpus', `${PATH}[0]`, 'a uri, a digest, or both', 'an object'],
    ['no name', '- uri: s3://a/b', `${PATH}[0].name`, 'a string', 'nothing'],
    ['a path', '- {name: a, uri: /data}', `${PATH}[0].uri`, expect.stringMatching(/^a URI/), '"/data"'],
    [
      'half a digest',
      '- {name: a, digest: "sha256:abc"}',
      `${PATH}[0].digest`,
      expect.stringMatching(/^ALGORITHM:HEX .*sha256 \(64 digits\)/),
      '"sha256:abc"',
    ],
    [
      'a name twice',
      '[{name: a, uri: "s3://a"}, {name: a, uri: "s3://b"}]',
      `${PATH}[1].name`,
      'a name that is not in the list yet',
      '"a"',
    ],
  ])('must not have %s', (_what, text, path, expected, got) => {
    expect(faultsOf(text)).toEqual([[path, expected, got]]);
  });

  test('must be YAML of limited size, with known fields', () => {
    expect(faultsOf('- {name')).toEqual([[PATH, 'YAML', expect.any(String)]]);
    expect(faultsOf(`- ${'x'.repeat(17_000)}`)).toEqual([[PATH, 'at most 16384 bytes', '17002']]);
    expect(faultsOf('- {name: a, uri: "s3://a", url: "s3://a"}')).toEqual([
      [`${PATH}[0].url`, 'a known field', '"s3://a"'],
    ]);
  });

  test('are faults of their manifest', () => {
    const parsed = parseManifest(
      {
        apiVersion: 'kubeflow.org/v1',
        kind: 'PyTorchJob',
        metadata: { name: 'train', annotations: { 'signalbox.dev/outputs': '- model' } },
        spec: {
          pytorchReplicaSpecs: {
            Worker: { template: { spec: { containers: [{ name: 'pytorch', image: 'a' }] } } },
          },
        },
      },
      { namespace: 'ml' },
    );
    expect(parsed).toMatchObject({
      faults: [
        { path: 'metadata.annotations[signalbox.dev/outputs][0]', expected: 'an object', got: '"model"' },
      ],
    });
  });
});
