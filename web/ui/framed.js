// Tells the site that frames this page how high it is. The page's policy limits which sites can frame it.
if (parent !== window) {
  document.documentElement.classList.add('framed');
  const tell = () =>
    parent.postMessage({ holdfastHeight: Math.ceil(document.body.getBoundingClientRect().height) }, '*');
  new ResizeObserver(tell).observe(document.body);
}
