/** The container cannot be created. The message is shown in its waiting state. */
export class CreateContainerError extends Error {
  override readonly name = 'CreateContainerError';
}

/** The container was created, but its command cannot be started. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
