var t=(()=>{try{return localStorage.getItem("claimwright:theme")}catch{return null}})();(t==="light"||t==="dark")&&(document.documentElement.dataset.theme=t);
