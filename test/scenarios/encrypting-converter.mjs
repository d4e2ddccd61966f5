// A data converter as somebody who must not show manifests to Temporal would write it: AES-GCM around every payload.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const KEY = Buffer.alloc(32, 'only for tests');
const ENCODING = Buffer.from('binary/encrypted');

/** What is encrypted: the whole payload, its metadata in base64. */
function encode({ metadata, data }) {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv);
  const names = Object.entries(metadata ?? {}).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ]);
  const plain = JSON.stringify({ names, data: Buffer.from(data ?? []).toString('base64') });
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return { metadata: { encoding: ENCODING }, data: Buffer.concat([iv, cipher.getAuthTag(), sealed]) };
}

function decode(payload) {
  if (Buffer.from(payload.metadata?.encoding ?? []).toString() !== 'binary/encrypted') return payload;
  const bytes = Buffer.from(payload.data);
  const decipher = createDecipheriv('aes-256-gcm', KEY, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  const { names, data } = JSON.parse(plain);
  const metadata = Object.fromEntries(names.map(([name, value]) => [name, Buffer.from(value, 'base64')]));
  return { metadata, data: Buffer.from(data, 'base64') };
}

export default {
  payloadCodecs: [
    {
      encode: async (payloads) => payloads.map(encode),
      decode: async (payloads) => payloads.map(decode),
    },
  ],
};
