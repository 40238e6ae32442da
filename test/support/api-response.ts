/** A response of the API as tests see it. */
export interface ApiResponse<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
}
