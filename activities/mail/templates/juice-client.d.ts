/** Juice without what fetches style sheets and pictures. */
declare module 'juice/client' {
  import juice from 'juice';
  export default juice;
}
