import type { Failure } from './api-bodies.js';

/** A response of the API as tests see it. */
export interface ApiResponse<Body = Failure> {
  status: number;
  headers: Headers;
  body: Body;
}
