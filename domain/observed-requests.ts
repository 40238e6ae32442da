/**
 * Called with each request to another service before it is sent. Returns what is called with its response: its status,
 * absent if there was none, and the service's id of the request.
 */
export type ObserveRequest = (request: {
  method: string;
  url: string;
}) => (response: { status?: number; correlationId?: string | null }) => void;
