import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCheckpoint, signCheckpoint } from '../../../record/log/checkpoint.ts';
import { parseNote, signersOf } from '../../../record/log/signed-note.ts';
import { signerOf } from '../../../record/log/signer.ts';
import { leafHash } from '../../../record/log/tree-hash.ts';
import { parseVerifierKey } from '../../../record/log/verifier-key.ts';
import { TIMES } from '../../times.ts';
import { aPrivateKey, aSigner, ORIGIN } from './a-log.ts';

/** The example of C2SP signed-note. */
const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const NOTE = `This is an example message.

\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

const root = leafHash(Buffer.from('a leaf'));
const signer = aSigner();
const keys = signer.keys.map(({ verifier }) => verifier);
const checkpoint = Buffer.from(signCheckpoint({ size: 7, root }, signer));

describe('a signed note', () => {
  it('is verified as in the example of the specification', () => {
    const key = parseVerifierKey(KEY);
    expect(signersOf(parseNote(Buffer.from(NOTE)), [key])).toEqual([key]);
    expect(key).toMatchObject({ name: 'example.com/foo', id: '530d903a', text: KEY });
  });

  it('is refused with any changed byte', () => {
    const change = fc.record({ place: fc.nat(checkpoint.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    const isRefused = ({ place, by }: { place: number; by: number }) => {
      const changed = Buffer.from(checkpoint);
      changed[place]! ^= by;
      expect(() => signersOf(parseCheckpoint(changed).note, keys)).toThrow();
    };
    fc.assert(fc.property(change, isRefused), { numRuns: 500 * TIMES });
  });

  it('is refused if a known key signed another text, whoever else signed it', () => {
    const both = aSigner(`${aPrivateKey()}${aPrivateKey()}`);
    const [first, second] = both.keys.map(({ verifier }) => verifier);
    const note = parseNote(Buffer.from(signCheckpoint({ size: 7, root }, both)));
    const wrong = note.signatures[1]!.signature;
    wrong[5]! ^= 1;
    expect(() => signersOf(note, [first!, second!])).toThrow('one that is not of this text');
    expect(signersOf(note, [first!])).toEqual([first]);
  });

  it('is refused without a signature of a given key, with the names of its keys', () => {
    const other = aSigner().keys[0]!.verifier;
    expect(() => signersOf(parseCheckpoint(checkpoint).note, [other])).toThrow(
      `expected a signature of ${other.name}+${other.id}, found only those of ${ORIGIN}+${keys[0]!.id}`,
    );
  });

  it.each([
    ['no empty line', 'a\nb\n', 'an empty line'],
    ['no signature', 'a\n\n', 'expected 1 to 64 signatures'],
    ['no line feed at its end', NOTE.trimEnd(), 'a line feed at the end'],
    ['a signature without a dash', NOTE.replace('\u2014', '-'), 'expected a signature'],
    ['control characters', `\u0007${NOTE}`, 'no control characters'],
    ['other bytes than UTF-8', Buffer.concat([Buffer.from([0xff]), Buffer.from(NOTE)]), 'expected UTF-8'],
    ['base64 with bits that nobody reads', NOTE.replace('aQM=', 'aQN='), 'expected a signature'],
  ])('is refused if it has %s', (_, text, message) => {
    expect(() => parseNote(Buffer.from(text as string))).toThrow(message);
  });
});

describe('a checkpoint', () => {
  it('has three lines', () => {
    expect(String(checkpoint).split('\n').slice(0, 4)).toEqual([ORIGIN, '7', root.toString('base64'), '']);
    expect(parseCheckpoint(checkpoint)).toMatchObject({ origin: ORIGIN, size: 7, root });
  });

  it.each([
    ['a size with a zero before it', '07', root.toString('base64'), 'expected a size'],
    ['a size that is no safe number', '9'.repeat(16), root.toString('base64'), 'expected a size'],
    ['a short root', '7', 'AAAA', 'expected a root'],
    ['a fourth line', '7', `${root.toString('base64')}\nmore`, 'expected three lines'],
  ])('is refused if it has %s', (_, size, line, message) => {
    const note = `${ORIGIN}\n${size}\n${line}\n\n${String(checkpoint).split('\n').at(-2)}\n`;
    expect(() => parseCheckpoint(Buffer.from(note))).toThrow(message);
  });
});

describe('a key', () => {
  it.each([
    ['another id', KEY.replace('530d903a', '530d903b'), 'expected id 530d903a'],
    ['another name', KEY.replace('foo', 'bar'), 'expected id'],
    ['a cut key', KEY.slice(0, -8), 'expected an Ed25519 key of 33 bytes'],
    ['no plus sign', 'example.com/foo', 'expected name+8 hexadecimal digits+base64'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => parseVerifierKey(text)).toThrow(message);
  });

  it.each([
    ['no key', 'hello', 'found none'],
    ['another type of key', rsaLike(), 'found one that cannot be read'],
  ])('signs nothing if the file has %s', (_, pem, message) => {
    expect(() => signerOf(pem, { origin: ORIGIN, location: 'archive.key' })).toThrow(message);
  });

  it('cannot have a name with spaces or plus signs', () => {
    expect(() => aSigner(undefined, 'my archive')).toThrow('without spaces, plus signs');
  });
});

function rsaLike(): string {
  return aPrivateKey().replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
}
