/** A volume cannot be set up (yet); the message is the kubelet's, where it has one. */
export class MountError extends Error {
  override readonly name = 'MountError';
}
