/** A response of the API as tests see it. */
export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
}
