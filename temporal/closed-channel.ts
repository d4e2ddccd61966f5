import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';

/**
 * Fails a call that begins when its connection is closed already. The SDK tries calls again from a timer, which closing
 * does not stop; what gRPC throws there would end the process.
 */
export const failWhenClosed: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return failedCall((error as Error).message);
  }
};

const failedCall = (details: string): InterceptingCall =>
  new InterceptingCall({
    // Not tried again, as `UNAVAILABLE` would be.
    start: (_metadata, listener) =>
      listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() }),
    sendMessage: () => undefined,
    sendMessageWithContext: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    cancelWithStatus: () => undefined,
    getPeer: () => '',
    getAuthContext: () => null,
  });
