// What launcher and workers of an MPIJob v2beta1 have in common: the keys by which they let each other in, and names.
import { addressOf } from '../../lib/address.mjs';
import { check } from '../../lib/check.mjs';
import { readFiles, readModes } from '../../lib/files.mjs';
import { answer, createChallenge, isAnswer } from './keys.mjs';

export function checkKeys(folder) {
  // ssh refuses a private key that others may read; elsewhere than in root's folder another user must read it.
  const mode = folder === '/root/.ssh' ? '600' : '644';
  check(
    `permissions in ${folder}`,
    { id_rsa: mode, 'id_rsa.pub': mode, authorized_keys: mode },
    readModes(folder),
  );
  const { 'id_rsa.pub': publicKey, authorized_keys } = readFiles(folder);
  check('the one who is let in', { key: publicKey }, { key: authorized_keys });
  const challenge = createChallenge();
  if (!isAnswer(answer(challenge, folder), challenge, folder))
    throw new Error(`${folder}: id_rsa and authorized_keys are not halves of one key`);
  console.log('private and public key are halves of one');
}

/** The host name that all pods of the job know a pod by. */
export const hostOf = ({ job, namespace }, name) => `${name}.${job}.${namespace}.svc`;

/** A pod is called by its own name, and finds itself under it; a worker also under the first part. */
export async function checkNames(pod, names) {
  const addresses = await Promise.all(names.map(async (name) => [name, await addressOf(name)]));
  const own = names.map((name) => [name, pod.address]);
  check(
    'names',
    { HOSTNAME: pod.name, ...Object.fromEntries(own) },
    {
      HOSTNAME: process.env.HOSTNAME,
      ...Object.fromEntries(addresses),
    },
  );
}
