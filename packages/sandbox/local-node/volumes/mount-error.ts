/** A volume cannot be set up (yet). The message is the kubelet's, if it has one. */
export class MountError extends Error {
  override readonly name = 'MountError';
}
