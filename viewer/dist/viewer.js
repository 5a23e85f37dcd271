(function(){"use strict";const Mh=["#4a90c4","#e6a23c","#3aa687","#cf86b3","#7cc4ec","#d9713a","#c9bd45","#8d83c9"],Sh="#9a9a9a",Fr=["#0072b2","#d55e00","#009e73","#cc79a7","#b8860b","#56a0d3","#7a5fb5","#8b5a2b"],Ip=["#58a6e8","#f08a4b","#3fc79a","#e39cc5","#e0b54a","#8cc8f0","#ab95e6","#c99f75"],Fa=["#d94848","#3fa34d","#3f6fd9"],Np=["#f07070","#62c370","#7fa2f5"],Or=i=>({light:Fr[i],dark:Ip[i]}),Oa=i=>({light:Fa[i],dark:Np[i]}),Fp=[["x",Oa(0)],["y",Oa(1)],["z",Oa(2)],["total",Or(0)],["kinetic",Or(1)],["potential",Or(2)]];function yh(i,t,e){return e&&/^#[0-9a-f]{6}$/i.test(e)?e:t==="static"?Sh:Mh[i%Mh.length]}class Op{constructor(t){this.bodies=new Map,this.names=new Map;for(const{scene:n}of t){const{bodies:s,surfaces:r}=n;s.forEach((o,a)=>this.addBody(o.name,yh(a,o.kind,o.color))),r.forEach((o,a)=>this.addBody(o.name,yh(s.length+a,"elastic",o.color)))}for(const[n,s]of Fp)this.names.set(n,s);const e=Fr.map(()=>0);for(const n of t.flatMap(s=>s.plots)){const s=new Set(n.series.flatMap(({name:r})=>this.names.get(r)?.light??[]));for(const{name:r}of n.series){if(this.names.has(r))continue;const o=l=>(s.has(Fr[l])?1e6:0)+e[l];let a=0;for(let l=1;l<Fr.length;l++)o(l)<o(a)&&(a=l);e[a]++,s.add(Fr[a]),this.names.set(r,Or(a))}}}addBody(t,e){this.bodies.has(t)||(this.bodies.set(t,e),this.names.set(t,{light:e,dark:e}))}body(t){return this.bodies.get(t)??Sh}colour(t,e){const n=this.names.get(t)??Or(0);return e?n.dark:n.light}}class Bp{constructor(t,e){this.start=t,this.end=e,this.playing=!1,this.speed=1,this.loop=!0,this.listeners=[],this.time=t}get duration(){return this.end-this.start}onChange(t){this.listeners.push(t)}changed(){for(const t of this.listeners)t()}seek(t){this.time=Math.min(Math.max(t,this.start),this.end),this.changed()}play(t){t&&this.time>=this.end&&(this.time=this.start),this.playing=t&&this.duration>0,this.changed()}advance(t){if(!this.playing)return;let e=this.time+t*this.speed;e>=this.end&&(this.loop?e=this.start+(e-this.start)%this.duration:(e=this.end,this.playing=!1)),this.seek(e)}}function zp(i){const t=new URLSearchParams(i.slice(1)).get("t"),e=t?Number(t):NaN;return Number.isFinite(e)?e:null}function kp(i){const t=[.01,.02,.05,.1,.25,.5,1,2,5,10,25,50,100,250,500,1e3],e=s=>i/s<=40&&i/s>=3,n=[...t].sort((s,r)=>Math.abs(Math.log(s))-Math.abs(Math.log(r)));return{values:t,usual:n.find(e)??(i>40?1e3:.01)}}function Y(i,t={},...e){const n=document.createElement(i);for(const[s,r]of Object.entries(t))r===void 0||r===!1||(typeof r=="function"?n.addEventListener(s,r):n.setAttribute(s,r===!0?"":String(r)));return n.append(...e),n}function vn(i,t,e,n){const s=n?`${t} (${n})`:t;return Y("button",{type:"button","aria-label":t,title:s,click:e},i)}function Ba(i,t,e,n){const s=Y("input",{type:"checkbox",change:()=>e(s.checked)});return s.checked=t,Y("label",{class:"check",title:n},s,Y("span",{},i))}function Rn(i,t=4){if(!Number.isFinite(i))return"–";if(i===0)return"0";const e=Math.abs(i);return e>=1e5||e<.001?i.toExponential(Math.max(t-2,0)).replace("e+","e"):String(Number(i.toPrecision(t)))}function Eh(i){const t=i.filter(r=>Number.isFinite(r)),e=Math.max(...t.map(Math.abs),0);if(e===0)return i.map(r=>Number.isFinite(r)?"0":"");let n=1/0;for(let r=1;r<t.length;r++)n=Math.min(n,Math.abs(t[r]-t[r-1])||1/0);if(Number.isFinite(n)||(n=e),e>=1e5||e<.001){const r=Math.min(Math.max(Math.ceil(Math.log10(e/n)-1e-9),0),10),o=n*1e-6;return i.map(a=>Math.abs(a)<o?"0":a.toExponential(r).replace("e+","e"))}let s=Math.min(Math.max(Math.ceil(-Math.log10(n)-1e-9),0),12);for(;s<12&&Math.abs(n*10**s-Math.round(n*10**s))>.001*n*10**s;)s++;return i.map(r=>r.toFixed(s).replace(/^-(0(\.0*)?)$/,"$1"))}function Mo(i,t,e=0){const n=t>0?Math.min(Math.max(3-Math.floor(Math.log10(t)),0)+e,9):3;return i.toFixed(n)}const Hp=/\d (N m s|N m|N s|N|m\/s|m|s|J|kg|rad|Pa)(?![\w/])/g;function Br(i){return i.replace(/(^|[\s(,]|\de)-(?=\d)/g,"$1−").replace(Hp,t=>t.replace(/ /g," "))}function zr(i,t){let e=0,n=i.length-1;for(;e<n;){const s=e+n+1>>1;i[s]<=t?e=s:n=s-1}return e}function ls(i,t){let e=0,n=i.length;for(;e<n;){const s=e+n>>1;i[s]<=t?e=s+1:n=s}return e}class bh{constructor(t){this.motion=t,this.values=new Float32Array(7*t.slots)}at(t){const{motion:e,values:n}=this,{time:s,position:r,rotation:o,slots:a}=e;if(s.length===0)return n;const l=zr(s,t),c=Math.min(l+1,s.length-1),u=s[c]-s[l],h=u>0?Math.min(Math.max((t-s[l])/u,0),1):0;for(let f=0;f<a;f++){const p=3*(l*a+f),_=3*(c*a+f),x=7*f;for(let D=0;D<3;D++)n[x+D]=r[p+D]+h*(r[_+D]-r[p+D]);const m=4*(l*a+f),d=4*(c*a+f);let T=0;for(let D=0;D<4;D++)T+=o[m+D]*o[d+D];const w=T<0?-1:1;let S=0;for(let D=0;D<4;D++){const A=(1-h)*o[m+D]+h*w*o[d+D];n[x+3+D]=A,S+=A*A}S=Math.sqrt(S)||1;for(let D=0;D<4;D++)n[x+3+D]/=S}return n}}const Th=["#4a90c4","#e6a23c","#3aa687","#cf86b3","#d9713a","#c9bd45","#8d83c9","#7cc4ec","#a5785a"],wh={impact:"#e0245e",stick:"#8a4fff",slide:"#ff8c1a",rest:"#2a9d8f",release:"#7f8c8d",force:"#2a9d8f"},Ah="#c0392b",Ri=30;function Rh(i,t){const e=s=>i.words[s]??"",n=[e(i.feature_a[t]),e(i.feature_b[t])].filter(s=>s!==""&&s!=="coordinate");return{kind:e(i.kind[t]),pair:`${e(i.a[t])} – ${e(i.b[t])}`,features:n.join("–"),impulse:i.strength[t],unit:[i.feature_a[t]].some(s=>["joint","coordinate"].includes(e(s)))?"N s or N m s":"N s",energy:i.energy[t]}}class Vp{constructor(t,e){this.motion=t,this.clock=e,this.body=Y("div",{class:"rows",role:"rowgroup"}),this.current=-1;const{contacts:n}=t;this.rows=Array.from({length:n.count},(c,u)=>u);const s=[...new Set(Array.from(n.kind,c=>n.words[c]))].sort(),r=Y("select",{"aria-label":"Kind of contact",change:()=>this.filter(r.value)},Y("option",{value:""},"all kinds"));for(const c of s)r.append(Y("option",{value:c},c));const a=Y("div",{class:"row head",role:"row"},...["#","time, s","kind","pair","features","impulse, N s","energy, J"].map(c=>Y("span",{role:"columnheader"},c)));this.scroller=Y("div",{class:"scroller",tabindex:0,role:"table","aria-label":"Contact events"},a,this.body),this.scroller.addEventListener("scroll",()=>this.draw());const l=n.total>n.count?`, the first ${n.count} of them here, all in contacts.csv`:"";this.root=Y("div",{class:"contact-list"},Y("div",{class:"list-bar"},Y("span",{},`${n.total} contact events${l}`),r),this.scroller),this.scroller.style.height=`${Math.min(n.count+1.2,10)*Ri}px`,e.onChange(()=>this.follow()),new ResizeObserver(()=>this.draw()).observe(this.scroller),this.draw()}filter(t){const{contacts:e}=this.motion;this.rows=[];for(let n=0;n<e.count;n++)(t===""||e.words[e.kind[n]]===t)&&this.rows.push(n);this.scroller.scrollTop=0,this.draw()}follow(){const t=ls(this.motion.contacts.time,this.clock.time+1e-9*this.clock.duration)-1;if(t===this.current)return;this.current=t;const e=this.rows.indexOf(t);if(e>=0&&!this.scroller.matches(":hover")){const n=e*Ri,s=this.scroller.clientHeight-Ri;(n<this.scroller.scrollTop||n>this.scroller.scrollTop+s-Ri)&&(this.scroller.scrollTop=Math.max(0,n-s/2))}this.draw()}draw(){const{contacts:t}=this.motion,e=this.scroller.clientHeight||10*Ri,n=Math.max(0,Math.floor(this.scroller.scrollTop/Ri)-3),s=Math.min(this.rows.length,n+Math.ceil(e/Ri)+6);this.body.style.height=`${this.rows.length*Ri}px`,this.body.replaceChildren(...this.rows.slice(n,s).map((r,o)=>{const{kind:a,pair:l,features:c,impulse:u,energy:h}=Rh(t,r),f=Y("span",{class:"dot","aria-hidden":"true"});f.style.background=wh[a]??"#888";const p=Y("div",{class:r===this.current?"row current":"row",role:"row",title:`${l} (${c})`,click:()=>this.go(r)},Y("span",{role:"cell"},String(r+1)),Y("span",{role:"cell"},Mo(t.time[r],this.clock.duration,1)),Y("span",{role:"cell"},f,a),Y("span",{role:"cell",class:"pair"},l),Y("span",{role:"cell"},c),Y("span",{role:"cell"},Rn(u,3)),Y("span",{role:"cell"},Rn(h,3)));return p.style.top=`${(n+o)*Ri}px`,p}))}go(t){this.clock.play(!1),this.clock.seek(this.motion.contacts.time[t])}}const Gp=[["space","play or pause"],["← →","one frame back or on; with shift, ten"],["[ ]","previous or next contact"],["Home End","start or end of the motion"],["f","follow the next body"],["r","show the whole motion"],["v","look from the next side"],[", .","turn the camera left or right"],["u m","tilt the camera up or down"],["+ −","nearer or farther"],["b e d p","bodies, edges, directors, convex parts"],["c i","contacts, impulses"],["t g","traces, ghosts"],["j w n","joints, walls and grid, names"],["?","this list"]];function Wp(){const i=Gp.map(([e,n])=>Y("tr",{},Y("th",{scope:"row"},Y("kbd",{},e)),Y("td",{},n))),t=Y("dialog",{"aria-label":"Keys"},Y("h2",{},"Keys"),Y("table",{},Y("tbody",{},...i)),Y("p",{},"Drag turns the camera, the wheel moves it, a drag with the right button shifts it. A click or drag in a plot goes to that time."));return t.append(vn("Close","Close",()=>t.close())),t}const za="180",zs={ROTATE:0,DOLLY:1,PAN:2},ks={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},Xp=0,Ch=1,Yp=2,Ph=1,qp=2,Ci=3,di=0,Cn=1,Nn=2,Hi=0,Hs=1,Dh=2,Lh=3,Uh=4,$p=5,cs=100,jp=101,Kp=102,Zp=103,Jp=104,Qp=200,tm=201,em=202,nm=203,ka=204,Ha=205,im=206,sm=207,rm=208,om=209,am=210,lm=211,cm=212,hm=213,um=214,Va=0,Ga=1,Wa=2,Vs=3,Xa=4,Ya=5,qa=6,$a=7,ja=0,fm=1,dm=2,Vi=0,pm=1,mm=2,gm=3,_m=4,vm=5,xm=6,Mm=7,Ih=300,Gs=301,Ws=302,Ka=303,Za=304,So=306,Ja=1e3,hs=1001,Qa=1002,Fn=1003,Sm=1004,yo=1005,pi=1006,tl=1007,us=1008,mi=1009,Nh=1010,Fh=1011,kr=1012,el=1013,fs=1014,gi=1015,Hr=1016,nl=1017,il=1018,Vr=1020,Oh=35902,Bh=35899,zh=1021,kh=1022,ni=1023,Gr=1026,Wr=1027,sl=1028,rl=1029,Hh=1030,ol=1031,al=1033,Eo=33776,bo=33777,To=33778,wo=33779,ll=35840,cl=35841,hl=35842,ul=35843,fl=36196,dl=37492,pl=37496,ml=37808,gl=37809,_l=37810,vl=37811,xl=37812,Ml=37813,Sl=37814,yl=37815,El=37816,bl=37817,Tl=37818,wl=37819,Al=37820,Rl=37821,Cl=36492,Pl=36494,Dl=36495,Ll=36283,Ul=36284,Il=36285,Nl=36286,ym=3200,Em=3201,Vh=0,bm=1,Gi="",Yn="srgb",Xs="srgb-linear",Ao="linear",be="srgb",Ys=7680,Gh=519,Tm=512,wm=513,Am=514,Wh=515,Rm=516,Cm=517,Pm=518,Dm=519,Xh=35044,Lm=35048,Yh="300 es",_i=2e3,Ro=2001;class ds{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});const n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){const n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){const n=this._listeners;if(n===void 0)return;const s=n[t];if(s!==void 0){const r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){const e=this._listeners;if(e===void 0)return;const n=e[t.type];if(n!==void 0){t.target=this;const s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}}const mn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Co=Math.PI/180,Fl=180/Math.PI;function Xr(){const i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(mn[i&255]+mn[i>>8&255]+mn[i>>16&255]+mn[i>>24&255]+"-"+mn[t&255]+mn[t>>8&255]+"-"+mn[t>>16&15|64]+mn[t>>24&255]+"-"+mn[e&63|128]+mn[e>>8&255]+"-"+mn[e>>16&255]+mn[e>>24&255]+mn[n&255]+mn[n>>8&255]+mn[n>>16&255]+mn[n>>24&255]).toLowerCase()}function ae(i,t,e){return Math.max(t,Math.min(e,i))}function Um(i,t){return(i%t+t)%t}function Ol(i,t,e){return(1-e)*i+e*t}function Yr(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return i/4294967295;case Uint16Array:return i/65535;case Uint8Array:return i/255;case Int32Array:return Math.max(i/2147483647,-1);case Int16Array:return Math.max(i/32767,-1);case Int8Array:return Math.max(i/127,-1);default:throw new Error("Invalid component type.")}}function Pn(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return Math.round(i*4294967295);case Uint16Array:return Math.round(i*65535);case Uint8Array:return Math.round(i*255);case Int32Array:return Math.round(i*2147483647);case Int16Array:return Math.round(i*32767);case Int8Array:return Math.round(i*127);default:throw new Error("Invalid component type.")}}const Im={DEG2RAD:Co};class ee{constructor(t=0,e=0){ee.prototype.isVector2=!0,this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){const e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=ae(this.x,t.x,e.x),this.y=ae(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=ae(this.x,t,e),this.y=ae(this.y,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(ae(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){const e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;const n=this.dot(t)/e;return Math.acos(ae(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){const e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){const n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}}class qn{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],u=n[s+2],h=n[s+3];const f=r[o+0],p=r[o+1],_=r[o+2],x=r[o+3];if(a===0){t[e+0]=l,t[e+1]=c,t[e+2]=u,t[e+3]=h;return}if(a===1){t[e+0]=f,t[e+1]=p,t[e+2]=_,t[e+3]=x;return}if(h!==x||l!==f||c!==p||u!==_){let m=1-a;const d=l*f+c*p+u*_+h*x,T=d>=0?1:-1,w=1-d*d;if(w>Number.EPSILON){const D=Math.sqrt(w),A=Math.atan2(D,d*T);m=Math.sin(m*A)/D,a=Math.sin(a*A)/D}const S=a*T;if(l=l*m+f*S,c=c*m+p*S,u=u*m+_*S,h=h*m+x*S,m===1-a){const D=1/Math.sqrt(l*l+c*c+u*u+h*h);l*=D,c*=D,u*=D,h*=D}}t[e]=l,t[e+1]=c,t[e+2]=u,t[e+3]=h}static multiplyQuaternionsFlat(t,e,n,s,r,o){const a=n[s],l=n[s+1],c=n[s+2],u=n[s+3],h=r[o],f=r[o+1],p=r[o+2],_=r[o+3];return t[e]=a*_+u*h+l*p-c*f,t[e+1]=l*_+u*f+c*h-a*p,t[e+2]=c*_+u*p+a*f-l*h,t[e+3]=u*_-a*h-l*f-c*p,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){const n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),u=a(s/2),h=a(r/2),f=l(n/2),p=l(s/2),_=l(r/2);switch(o){case"XYZ":this._x=f*u*h+c*p*_,this._y=c*p*h-f*u*_,this._z=c*u*_+f*p*h,this._w=c*u*h-f*p*_;break;case"YXZ":this._x=f*u*h+c*p*_,this._y=c*p*h-f*u*_,this._z=c*u*_-f*p*h,this._w=c*u*h+f*p*_;break;case"ZXY":this._x=f*u*h-c*p*_,this._y=c*p*h+f*u*_,this._z=c*u*_+f*p*h,this._w=c*u*h-f*p*_;break;case"ZYX":this._x=f*u*h-c*p*_,this._y=c*p*h+f*u*_,this._z=c*u*_-f*p*h,this._w=c*u*h+f*p*_;break;case"YZX":this._x=f*u*h+c*p*_,this._y=c*p*h+f*u*_,this._z=c*u*_-f*p*h,this._w=c*u*h-f*p*_;break;case"XZY":this._x=f*u*h-c*p*_,this._y=c*p*h-f*u*_,this._z=c*u*_+f*p*h,this._w=c*u*h+f*p*_;break;default:console.warn("THREE.Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){const n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){const e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],u=e[6],h=e[10],f=n+a+h;if(f>0){const p=.5/Math.sqrt(f+1);this._w=.25/p,this._x=(u-l)*p,this._y=(r-c)*p,this._z=(o-s)*p}else if(n>a&&n>h){const p=2*Math.sqrt(1+n-a-h);this._w=(u-l)/p,this._x=.25*p,this._y=(s+o)/p,this._z=(r+c)/p}else if(a>h){const p=2*Math.sqrt(1+a-n-h);this._w=(r-c)/p,this._x=(s+o)/p,this._y=.25*p,this._z=(l+u)/p}else{const p=2*Math.sqrt(1+h-n-a);this._w=(o-s)/p,this._x=(r+c)/p,this._y=(l+u)/p,this._z=.25*p}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(ae(this.dot(t),-1,1)))}rotateTowards(t,e){const n=this.angleTo(t);if(n===0)return this;const s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){const n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,u=e._w;return this._x=n*u+o*a+s*c-r*l,this._y=s*u+o*l+r*a-n*c,this._z=r*u+o*c+n*l-s*a,this._w=o*u-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){if(e===0)return this;if(e===1)return this.copy(t);const n=this._x,s=this._y,r=this._z,o=this._w;let a=o*t._w+n*t._x+s*t._y+r*t._z;if(a<0?(this._w=-t._w,this._x=-t._x,this._y=-t._y,this._z=-t._z,a=-a):this.copy(t),a>=1)return this._w=o,this._x=n,this._y=s,this._z=r,this;const l=1-a*a;if(l<=Number.EPSILON){const p=1-e;return this._w=p*o+e*this._w,this._x=p*n+e*this._x,this._y=p*s+e*this._y,this._z=p*r+e*this._z,this.normalize(),this}const c=Math.sqrt(l),u=Math.atan2(c,a),h=Math.sin((1-e)*u)/c,f=Math.sin(e*u)/c;return this._w=o*h+this._w*f,this._x=n*h+this._x*f,this._y=s*h+this._y*f,this._z=r*h+this._z*f,this._onChangeCallback(),this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){const t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}}class F{constructor(t=0,e=0,n=0){F.prototype.isVector3=!0,this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(qh.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(qh.setFromAxisAngle(t,e))}applyMatrix3(t){const e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){const e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){const e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),u=2*(a*e-r*s),h=2*(r*n-o*e);return this.x=e+l*c+o*h-a*u,this.y=n+l*u+a*c-r*h,this.z=s+l*h+r*u-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){const e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=ae(this.x,t.x,e.x),this.y=ae(this.y,t.y,e.y),this.z=ae(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=ae(this.x,t,e),this.y=ae(this.y,t,e),this.z=ae(this.z,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(ae(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){const n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){const e=t.lengthSq();if(e===0)return this.set(0,0,0);const n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return Bl.copy(this).projectOnVector(t),this.sub(Bl)}reflect(t){return this.sub(Bl.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){const e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;const n=this.dot(t)/e;return Math.acos(ae(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){const e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){const s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){const e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){const e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){const t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}}const Bl=new F,qh=new qn;class se{constructor(t,e,n,s,r,o,a,l,c){se.prototype.isMatrix3=!0,this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){const u=this.elements;return u[0]=t,u[1]=s,u[2]=a,u[3]=e,u[4]=r,u[5]=l,u[6]=n,u[7]=o,u[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){const e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){const e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){const n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],u=n[4],h=n[7],f=n[2],p=n[5],_=n[8],x=s[0],m=s[3],d=s[6],T=s[1],w=s[4],S=s[7],D=s[2],A=s[5],U=s[8];return r[0]=o*x+a*T+l*D,r[3]=o*m+a*w+l*A,r[6]=o*d+a*S+l*U,r[1]=c*x+u*T+h*D,r[4]=c*m+u*w+h*A,r[7]=c*d+u*S+h*U,r[2]=f*x+p*T+_*D,r[5]=f*m+p*w+_*A,r[8]=f*d+p*S+_*U,this}multiplyScalar(t){const e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],u=t[8];return e*o*u-e*a*c-n*r*u+n*a*l+s*r*c-s*o*l}invert(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],u=t[8],h=u*o-a*c,f=a*l-u*r,p=c*r-o*l,_=e*h+n*f+s*p;if(_===0)return this.set(0,0,0,0,0,0,0,0,0);const x=1/_;return t[0]=h*x,t[1]=(s*c-u*n)*x,t[2]=(a*n-s*o)*x,t[3]=f*x,t[4]=(u*e-s*l)*x,t[5]=(s*r-a*e)*x,t[6]=p*x,t[7]=(n*l-c*e)*x,t[8]=(o*e-n*r)*x,this}transpose(){let t;const e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){const e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){const l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return this.premultiply(zl.makeScale(t,e)),this}rotate(t){return this.premultiply(zl.makeRotation(-t)),this}translate(t,e){return this.premultiply(zl.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){const e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){const n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}}const zl=new se;function $h(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function Po(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Nm(){const i=Po("canvas");return i.style.display="block",i}const jh={};function qr(i){i in jh||(jh[i]=!0,console.warn(i))}function Fm(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}const Kh=new se().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Zh=new se().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Om(){const i={enabled:!0,workingColorSpace:Xs,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===be&&(s.r=Pi(s.r),s.g=Pi(s.g),s.b=Pi(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===be&&(s.r=qs(s.r),s.g=qs(s.g),s.b=qs(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Gi?Ao:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[r].toXYZ).multiply(this.spaces[o].fromXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace},fromWorkingColorSpace:function(s,r){return qr("THREE.ColorManagement: .fromWorkingColorSpace() has been renamed to .workingToColorSpace()."),i.workingToColorSpace(s,r)},toWorkingColorSpace:function(s,r){return qr("THREE.ColorManagement: .toWorkingColorSpace() has been renamed to .colorSpaceToWorking()."),i.colorSpaceToWorking(s,r)}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[Xs]:{primaries:t,whitePoint:n,transfer:Ao,toXYZ:Kh,fromXYZ:Zh,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:Yn},outputColorSpaceConfig:{drawingBufferColorSpace:Yn}},[Yn]:{primaries:t,whitePoint:n,transfer:be,toXYZ:Kh,fromXYZ:Zh,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:Yn}}}),i}const fe=Om();function Pi(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function qs(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}let $s;class Bm{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{$s===void 0&&($s=Po("canvas")),$s.width=t.width,$s.height=t.height;const s=$s.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=$s}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){const e=Po("canvas");e.width=t.width,e.height=t.height;const n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);const s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Pi(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){const e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(Pi(e[n]/255)*255):e[n]=Pi(e[n]);return{data:e,width:t.width,height:t.height}}else return console.warn("THREE.ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}}let zm=0;class kl{constructor(t=null){this.isSource=!0,Object.defineProperty(this,"id",{value:zm++}),this.uuid=Xr(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){const e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):e instanceof VideoFrame?t.set(e.displayHeight,e.displayWidth,0):e!==null?t.set(e.width,e.height,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){const e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];const n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Hl(s[o].image)):r.push(Hl(s[o]))}else r=Hl(s);n.url=r}return e||(t.images[this.uuid]=n),n}}function Hl(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Bm.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(console.warn("THREE.Texture: Unable to serialize Texture."),{})}let km=0;const Vl=new F;class xn extends ds{constructor(t=xn.DEFAULT_IMAGE,e=xn.DEFAULT_MAPPING,n=hs,s=hs,r=pi,o=us,a=ni,l=mi,c=xn.DEFAULT_ANISOTROPY,u=Gi){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:km++}),this.uuid=Xr(),this.name="",this.source=new kl(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new ee(0,0),this.repeat=new ee(1,1),this.center=new ee(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new se,this.generateMipmaps=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0}get width(){return this.source.getSize(Vl).x}get height(){return this.source.getSize(Vl).y}get depth(){return this.source.getSize(Vl).z}get image(){return this.source.data}set image(t=null){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(const e in t){const n=t[e];if(n===void 0){console.warn(`THREE.Texture.setValues(): parameter '${e}' has value of undefined.`);continue}const s=this[e];if(s===void 0){console.warn(`THREE.Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){const e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];const n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Ih)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Ja:t.x=t.x-Math.floor(t.x);break;case hs:t.x=t.x<0?0:1;break;case Qa:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Ja:t.y=t.y-Math.floor(t.y);break;case hs:t.y=t.y<0?0:1;break;case Qa:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}}xn.DEFAULT_IMAGE=null,xn.DEFAULT_MAPPING=Ih,xn.DEFAULT_ANISOTROPY=1;class Ve{constructor(t=0,e=0,n=0,s=1){Ve.prototype.isVector4=!0,this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){const e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);const e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r;const l=t.elements,c=l[0],u=l[4],h=l[8],f=l[1],p=l[5],_=l[9],x=l[2],m=l[6],d=l[10];if(Math.abs(u-f)<.01&&Math.abs(h-x)<.01&&Math.abs(_-m)<.01){if(Math.abs(u+f)<.1&&Math.abs(h+x)<.1&&Math.abs(_+m)<.1&&Math.abs(c+p+d-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;const w=(c+1)/2,S=(p+1)/2,D=(d+1)/2,A=(u+f)/4,U=(h+x)/4,O=(_+m)/4;return w>S&&w>D?w<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(w),s=A/n,r=U/n):S>D?S<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),n=A/s,r=O/s):D<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(D),n=U/r,s=O/r),this.set(n,s,r,e),this}let T=Math.sqrt((m-_)*(m-_)+(h-x)*(h-x)+(f-u)*(f-u));return Math.abs(T)<.001&&(T=1),this.x=(m-_)/T,this.y=(h-x)/T,this.z=(f-u)/T,this.w=Math.acos((c+p+d-1)/2),this}setFromMatrixPosition(t){const e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=ae(this.x,t.x,e.x),this.y=ae(this.y,t.y,e.y),this.z=ae(this.z,t.z,e.z),this.w=ae(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=ae(this.x,t,e),this.y=ae(this.y,t,e),this.z=ae(this.z,t,e),this.w=ae(this.w,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(ae(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}}class Hm extends ds{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:pi,depthBuffer:!0,stencilBuffer:!1,resolveDepthBuffer:!0,resolveStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Ve(0,0,t,e),this.scissorTest=!1,this.viewport=new Ve(0,0,t,e);const s={width:t,height:e,depth:n.depth},r=new xn(s);this.textures=[];const o=n.count;for(let a=0;a<o;a++)this.textures[a]=r.clone(),this.textures[a].isRenderTargetTexture=!0,this.textures[a].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview}_setTextureOptions(t={}){const e={minFilter:pi,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&(this._depthTexture.renderTarget=null),t!==null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isArrayTexture=this.textures[s].image.depth>1;this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;const s=Object.assign({},t.textures[e].image);this.textures[e].source=new kl(s)}return this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,t.depthTexture!==null&&(this.depthTexture=t.depthTexture.clone()),this.samples=t.samples,this}dispose(){this.dispatchEvent({type:"dispose"})}}class ps extends Hm{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}}class Jh extends xn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Fn,this.minFilter=Fn,this.wrapR=hs,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}}class Vm extends xn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Fn,this.minFilter=Fn,this.wrapR=hs,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}}class Wi{constructor(t=new F(1/0,1/0,1/0),e=new F(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(ii.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(ii.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){const n=ii.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);const n=t.geometry;if(n!==void 0){const r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,ii):ii.fromBufferAttribute(r,o),ii.applyMatrix4(t.matrixWorld),this.expandByPoint(ii);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),Do.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Do.copy(n.boundingBox)),Do.applyMatrix4(t.matrixWorld),this.union(Do)}const s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,ii),ii.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter($r),Lo.subVectors(this.max,$r),js.subVectors(t.a,$r),Ks.subVectors(t.b,$r),Zs.subVectors(t.c,$r),Xi.subVectors(Ks,js),Yi.subVectors(Zs,Ks),ms.subVectors(js,Zs);let e=[0,-Xi.z,Xi.y,0,-Yi.z,Yi.y,0,-ms.z,ms.y,Xi.z,0,-Xi.x,Yi.z,0,-Yi.x,ms.z,0,-ms.x,-Xi.y,Xi.x,0,-Yi.y,Yi.x,0,-ms.y,ms.x,0];return!Gl(e,js,Ks,Zs,Lo)||(e=[1,0,0,0,1,0,0,0,1],!Gl(e,js,Ks,Zs,Lo))?!1:(Uo.crossVectors(Xi,Yi),e=[Uo.x,Uo.y,Uo.z],Gl(e,js,Ks,Zs,Lo))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,ii).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(ii).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Di[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Di[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Di[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Di[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Di[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Di[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Di[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Di[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Di),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}}const Di=[new F,new F,new F,new F,new F,new F,new F,new F],ii=new F,Do=new Wi,js=new F,Ks=new F,Zs=new F,Xi=new F,Yi=new F,ms=new F,$r=new F,Lo=new F,Uo=new F,gs=new F;function Gl(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){gs.fromArray(i,r);const a=s.x*Math.abs(gs.x)+s.y*Math.abs(gs.y)+s.z*Math.abs(gs.z),l=t.dot(gs),c=e.dot(gs),u=n.dot(gs);if(Math.max(-Math.max(l,c,u),Math.min(l,c,u))>a)return!1}return!0}const Gm=new Wi,jr=new F,Wl=new F;class Js{constructor(t=new F,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){const n=this.center;e!==void 0?n.copy(e):Gm.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){const e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){const n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;jr.subVectors(t,this.center);const e=jr.lengthSq();if(e>this.radius*this.radius){const n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(jr,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Wl.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(jr.copy(t.center).add(Wl)),this.expandByPoint(jr.copy(t.center).sub(Wl))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}}const Li=new F,Xl=new F,Io=new F,qi=new F,Yl=new F,No=new F,ql=new F;class Fo{constructor(t=new F,e=new F(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,Li)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);const n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){const e=Li.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(Li.copy(this.origin).addScaledVector(this.direction,e),Li.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){Xl.copy(t).add(e).multiplyScalar(.5),Io.copy(e).sub(t).normalize(),qi.copy(this.origin).sub(Xl);const r=t.distanceTo(e)*.5,o=-this.direction.dot(Io),a=qi.dot(this.direction),l=-qi.dot(Io),c=qi.lengthSq(),u=Math.abs(1-o*o);let h,f,p,_;if(u>0)if(h=o*l-a,f=o*a-l,_=r*u,h>=0)if(f>=-_)if(f<=_){const x=1/u;h*=x,f*=x,p=h*(h+o*f+2*a)+f*(o*h+f+2*l)+c}else f=r,h=Math.max(0,-(o*f+a)),p=-h*h+f*(f+2*l)+c;else f=-r,h=Math.max(0,-(o*f+a)),p=-h*h+f*(f+2*l)+c;else f<=-_?(h=Math.max(0,-(-o*r+a)),f=h>0?-r:Math.min(Math.max(-r,-l),r),p=-h*h+f*(f+2*l)+c):f<=_?(h=0,f=Math.min(Math.max(-r,-l),r),p=f*(f+2*l)+c):(h=Math.max(0,-(o*r+a)),f=h>0?r:Math.min(Math.max(-r,-l),r),p=-h*h+f*(f+2*l)+c);else f=o>0?-r:r,h=Math.max(0,-(o*f+a)),p=-h*h+f*(f+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,h),s&&s.copy(Xl).addScaledVector(Io,f),p}intersectSphere(t,e){Li.subVectors(t.center,this.origin);const n=Li.dot(this.direction),s=Li.dot(Li)-n*n,r=t.radius*t.radius;if(s>r)return null;const o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){const e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;const n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){const n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){const e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l;const c=1/this.direction.x,u=1/this.direction.y,h=1/this.direction.z,f=this.origin;return c>=0?(n=(t.min.x-f.x)*c,s=(t.max.x-f.x)*c):(n=(t.max.x-f.x)*c,s=(t.min.x-f.x)*c),u>=0?(r=(t.min.y-f.y)*u,o=(t.max.y-f.y)*u):(r=(t.max.y-f.y)*u,o=(t.min.y-f.y)*u),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),h>=0?(a=(t.min.z-f.z)*h,l=(t.max.z-f.z)*h):(a=(t.max.z-f.z)*h,l=(t.min.z-f.z)*h),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,Li)!==null}intersectTriangle(t,e,n,s,r){Yl.subVectors(e,t),No.subVectors(n,t),ql.crossVectors(Yl,No);let o=this.direction.dot(ql),a;if(o>0){if(s)return null;a=1}else if(o<0)a=-1,o=-o;else return null;qi.subVectors(this.origin,t);const l=a*this.direction.dot(No.crossVectors(qi,No));if(l<0)return null;const c=a*this.direction.dot(Yl.cross(qi));if(c<0||l+c>o)return null;const u=-a*qi.dot(ql);return u<0?null:this.at(u/o,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}}class Se{constructor(t,e,n,s,r,o,a,l,c,u,h,f,p,_,x,m){Se.prototype.isMatrix4=!0,this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,u,h,f,p,_,x,m)}set(t,e,n,s,r,o,a,l,c,u,h,f,p,_,x,m){const d=this.elements;return d[0]=t,d[4]=e,d[8]=n,d[12]=s,d[1]=r,d[5]=o,d[9]=a,d[13]=l,d[2]=c,d[6]=u,d[10]=h,d[14]=f,d[3]=p,d[7]=_,d[11]=x,d[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new Se().fromArray(this.elements)}copy(t){const e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){const e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){const e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){const e=this.elements,n=t.elements,s=1/Qs.setFromMatrixColumn(t,0).length(),r=1/Qs.setFromMatrixColumn(t,1).length(),o=1/Qs.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){const e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),u=Math.cos(r),h=Math.sin(r);if(t.order==="XYZ"){const f=o*u,p=o*h,_=a*u,x=a*h;e[0]=l*u,e[4]=-l*h,e[8]=c,e[1]=p+_*c,e[5]=f-x*c,e[9]=-a*l,e[2]=x-f*c,e[6]=_+p*c,e[10]=o*l}else if(t.order==="YXZ"){const f=l*u,p=l*h,_=c*u,x=c*h;e[0]=f+x*a,e[4]=_*a-p,e[8]=o*c,e[1]=o*h,e[5]=o*u,e[9]=-a,e[2]=p*a-_,e[6]=x+f*a,e[10]=o*l}else if(t.order==="ZXY"){const f=l*u,p=l*h,_=c*u,x=c*h;e[0]=f-x*a,e[4]=-o*h,e[8]=_+p*a,e[1]=p+_*a,e[5]=o*u,e[9]=x-f*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){const f=o*u,p=o*h,_=a*u,x=a*h;e[0]=l*u,e[4]=_*c-p,e[8]=f*c+x,e[1]=l*h,e[5]=x*c+f,e[9]=p*c-_,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){const f=o*l,p=o*c,_=a*l,x=a*c;e[0]=l*u,e[4]=x-f*h,e[8]=_*h+p,e[1]=h,e[5]=o*u,e[9]=-a*u,e[2]=-c*u,e[6]=p*h+_,e[10]=f-x*h}else if(t.order==="XZY"){const f=o*l,p=o*c,_=a*l,x=a*c;e[0]=l*u,e[4]=-h,e[8]=c*u,e[1]=f*h+x,e[5]=o*u,e[9]=p*h-_,e[2]=_*h-p,e[6]=a*u,e[10]=x*h+f}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(Wm,t,Xm)}lookAt(t,e,n){const s=this.elements;return On.subVectors(t,e),On.lengthSq()===0&&(On.z=1),On.normalize(),$i.crossVectors(n,On),$i.lengthSq()===0&&(Math.abs(n.z)===1?On.x+=1e-4:On.z+=1e-4,On.normalize(),$i.crossVectors(n,On)),$i.normalize(),Oo.crossVectors(On,$i),s[0]=$i.x,s[4]=Oo.x,s[8]=On.x,s[1]=$i.y,s[5]=Oo.y,s[9]=On.y,s[2]=$i.z,s[6]=Oo.z,s[10]=On.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){const n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],u=n[1],h=n[5],f=n[9],p=n[13],_=n[2],x=n[6],m=n[10],d=n[14],T=n[3],w=n[7],S=n[11],D=n[15],A=s[0],U=s[4],O=s[8],b=s[12],E=s[1],C=s[5],H=s[9],B=s[13],W=s[2],X=s[6],$=s[10],Q=s[14],J=s[3],at=s[7],lt=s[11],vt=s[15];return r[0]=o*A+a*E+l*W+c*J,r[4]=o*U+a*C+l*X+c*at,r[8]=o*O+a*H+l*$+c*lt,r[12]=o*b+a*B+l*Q+c*vt,r[1]=u*A+h*E+f*W+p*J,r[5]=u*U+h*C+f*X+p*at,r[9]=u*O+h*H+f*$+p*lt,r[13]=u*b+h*B+f*Q+p*vt,r[2]=_*A+x*E+m*W+d*J,r[6]=_*U+x*C+m*X+d*at,r[10]=_*O+x*H+m*$+d*lt,r[14]=_*b+x*B+m*Q+d*vt,r[3]=T*A+w*E+S*W+D*J,r[7]=T*U+w*C+S*X+D*at,r[11]=T*O+w*H+S*$+D*lt,r[15]=T*b+w*B+S*Q+D*vt,this}multiplyScalar(t){const e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){const t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],u=t[2],h=t[6],f=t[10],p=t[14],_=t[3],x=t[7],m=t[11],d=t[15];return _*(+r*l*h-s*c*h-r*a*f+n*c*f+s*a*p-n*l*p)+x*(+e*l*p-e*c*f+r*o*f-s*o*p+s*c*u-r*l*u)+m*(+e*c*h-e*a*p-r*o*h+n*o*p+r*a*u-n*c*u)+d*(-s*a*u-e*l*h+e*a*f+s*o*h-n*o*f+n*l*u)}transpose(){const t=this.elements;let e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){const s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],u=t[8],h=t[9],f=t[10],p=t[11],_=t[12],x=t[13],m=t[14],d=t[15],T=h*m*c-x*f*c+x*l*p-a*m*p-h*l*d+a*f*d,w=_*f*c-u*m*c-_*l*p+o*m*p+u*l*d-o*f*d,S=u*x*c-_*h*c+_*a*p-o*x*p-u*a*d+o*h*d,D=_*h*l-u*x*l-_*a*f+o*x*f+u*a*m-o*h*m,A=e*T+n*w+s*S+r*D;if(A===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);const U=1/A;return t[0]=T*U,t[1]=(x*f*r-h*m*r-x*s*p+n*m*p+h*s*d-n*f*d)*U,t[2]=(a*m*r-x*l*r+x*s*c-n*m*c-a*s*d+n*l*d)*U,t[3]=(h*l*r-a*f*r-h*s*c+n*f*c+a*s*p-n*l*p)*U,t[4]=w*U,t[5]=(u*m*r-_*f*r+_*s*p-e*m*p-u*s*d+e*f*d)*U,t[6]=(_*l*r-o*m*r-_*s*c+e*m*c+o*s*d-e*l*d)*U,t[7]=(o*f*r-u*l*r+u*s*c-e*f*c-o*s*p+e*l*p)*U,t[8]=S*U,t[9]=(_*h*r-u*x*r-_*n*p+e*x*p+u*n*d-e*h*d)*U,t[10]=(o*x*r-_*a*r+_*n*c-e*x*c-o*n*d+e*a*d)*U,t[11]=(u*a*r-o*h*r-u*n*c+e*h*c+o*n*p-e*a*p)*U,t[12]=D*U,t[13]=(u*x*s-_*h*s+_*n*f-e*x*f-u*n*m+e*h*m)*U,t[14]=(_*a*s-o*x*s-_*n*l+e*x*l+o*n*m-e*a*m)*U,t[15]=(o*h*s-u*a*s+u*n*l-e*h*l-o*n*f+e*a*f)*U,this}scale(t){const e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){const t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){const e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){const n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,u=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,u*a+n,u*l-s*o,0,c*l-s*a,u*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){const s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,u=o+o,h=a+a,f=r*c,p=r*u,_=r*h,x=o*u,m=o*h,d=a*h,T=l*c,w=l*u,S=l*h,D=n.x,A=n.y,U=n.z;return s[0]=(1-(x+d))*D,s[1]=(p+S)*D,s[2]=(_-w)*D,s[3]=0,s[4]=(p-S)*A,s[5]=(1-(f+d))*A,s[6]=(m+T)*A,s[7]=0,s[8]=(_+w)*U,s[9]=(m-T)*U,s[10]=(1-(f+x))*U,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){const s=this.elements;let r=Qs.set(s[0],s[1],s[2]).length();const o=Qs.set(s[4],s[5],s[6]).length(),a=Qs.set(s[8],s[9],s[10]).length();this.determinant()<0&&(r=-r),t.x=s[12],t.y=s[13],t.z=s[14],si.copy(this);const c=1/r,u=1/o,h=1/a;return si.elements[0]*=c,si.elements[1]*=c,si.elements[2]*=c,si.elements[4]*=u,si.elements[5]*=u,si.elements[6]*=u,si.elements[8]*=h,si.elements[9]*=h,si.elements[10]*=h,e.setFromRotationMatrix(si),n.x=r,n.y=o,n.z=a,this}makePerspective(t,e,n,s,r,o,a=_i,l=!1){const c=this.elements,u=2*r/(e-t),h=2*r/(n-s),f=(e+t)/(e-t),p=(n+s)/(n-s);let _,x;if(l)_=r/(o-r),x=o*r/(o-r);else if(a===_i)_=-(o+r)/(o-r),x=-2*o*r/(o-r);else if(a===Ro)_=-o/(o-r),x=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=u,c[4]=0,c[8]=f,c[12]=0,c[1]=0,c[5]=h,c[9]=p,c[13]=0,c[2]=0,c[6]=0,c[10]=_,c[14]=x,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=_i,l=!1){const c=this.elements,u=2/(e-t),h=2/(n-s),f=-(e+t)/(e-t),p=-(n+s)/(n-s);let _,x;if(l)_=1/(o-r),x=o/(o-r);else if(a===_i)_=-2/(o-r),x=-(o+r)/(o-r);else if(a===Ro)_=-1/(o-r),x=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=u,c[4]=0,c[8]=0,c[12]=f,c[1]=0,c[5]=h,c[9]=0,c[13]=p,c[2]=0,c[6]=0,c[10]=_,c[14]=x,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){const e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){const n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}}const Qs=new F,si=new Se,Wm=new F(0,0,0),Xm=new F(1,1,1),$i=new F,Oo=new F,On=new F,Qh=new Se,tu=new qn;class vi{constructor(t=0,e=0,n=0,s=vi.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){const s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],u=s[9],h=s[2],f=s[6],p=s[10];switch(e){case"XYZ":this._y=Math.asin(ae(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-u,p),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(f,c),this._z=0);break;case"YXZ":this._x=Math.asin(-ae(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(a,p),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-h,r),this._z=0);break;case"ZXY":this._x=Math.asin(ae(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(-h,p),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-ae(h,-1,1)),Math.abs(h)<.9999999?(this._x=Math.atan2(f,p),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(ae(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-u,c),this._y=Math.atan2(-h,r)):(this._x=0,this._y=Math.atan2(a,p));break;case"XZY":this._z=Math.asin(-ae(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(f,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-u,p),this._y=0);break;default:console.warn("THREE.Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return Qh.makeRotationFromQuaternion(t),this.setFromRotationMatrix(Qh,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return tu.setFromEuler(this),this.setFromQuaternion(tu,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}}vi.DEFAULT_ORDER="XYZ";class $l{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}}let Ym=0;const eu=new F,tr=new qn,Ui=new Se,Bo=new F,Kr=new F,qm=new F,$m=new qn,nu=new F(1,0,0),iu=new F(0,1,0),su=new F(0,0,1),ru={type:"added"},jm={type:"removed"},er={type:"childadded",child:null},jl={type:"childremoved",child:null};class fn extends ds{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Ym++}),this.uuid=Xr(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=fn.DEFAULT_UP.clone();const t=new F,e=new vi,n=new qn,s=new F(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Se},normalMatrix:{value:new se}}),this.matrix=new Se,this.matrixWorld=new Se,this.matrixAutoUpdate=fn.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=fn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new $l,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.userData={}}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return tr.setFromAxisAngle(t,e),this.quaternion.multiply(tr),this}rotateOnWorldAxis(t,e){return tr.setFromAxisAngle(t,e),this.quaternion.premultiply(tr),this}rotateX(t){return this.rotateOnAxis(nu,t)}rotateY(t){return this.rotateOnAxis(iu,t)}rotateZ(t){return this.rotateOnAxis(su,t)}translateOnAxis(t,e){return eu.copy(t).applyQuaternion(this.quaternion),this.position.add(eu.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(nu,t)}translateY(t){return this.translateOnAxis(iu,t)}translateZ(t){return this.translateOnAxis(su,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(Ui.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?Bo.copy(t):Bo.set(t,e,n);const s=this.parent;this.updateWorldMatrix(!0,!1),Kr.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Ui.lookAt(Kr,Bo,this.up):Ui.lookAt(Bo,Kr,this.up),this.quaternion.setFromRotationMatrix(Ui),s&&(Ui.extractRotation(s.matrixWorld),tr.setFromRotationMatrix(Ui),this.quaternion.premultiply(tr.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(console.error("THREE.Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(ru),er.child=t,this.dispatchEvent(er),er.child=null):console.error("THREE.Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}const e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(jm),jl.child=t,this.dispatchEvent(jl),jl.child=null),this}removeFromParent(){const t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),Ui.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),Ui.multiply(t.parent.matrixWorld)),t.applyMatrix4(Ui),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(ru),er.child=t,this.dispatchEvent(er),er.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){const o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);const s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Kr,t,qm),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Kr,$m,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);const e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}traverse(t){t(this);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){const e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale),this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e){const n=this.parent;if(t===!0&&n!==null&&n.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),e===!0){const s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].updateWorldMatrix(!1,!0)}}toJSON(t){const e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});const s={};s.uuid=this.uuid,s.type=this.type,this.name!==""&&(s.name=this.name),this.castShadow===!0&&(s.castShadow=!0),this.receiveShadow===!0&&(s.receiveShadow=!0),this.visible===!1&&(s.visible=!1),this.frustumCulled===!1&&(s.frustumCulled=!1),this.renderOrder!==0&&(s.renderOrder=this.renderOrder),Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.matrixAutoUpdate===!1&&(s.matrixAutoUpdate=!1),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);const a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){const l=a.shapes;if(Array.isArray(l))for(let c=0,u=l.length;c<u;c++){const h=l[c];r(t.shapes,h)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){const a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){const l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){const a=o(t.geometries),l=o(t.materials),c=o(t.textures),u=o(t.images),h=o(t.shapes),f=o(t.skeletons),p=o(t.animations),_=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),u.length>0&&(n.images=u),h.length>0&&(n.shapes=h),f.length>0&&(n.skeletons=f),p.length>0&&(n.animations=p),_.length>0&&(n.nodes=_)}return n.object=s,n;function o(a){const l=[];for(const c in a){const u=a[c];delete u.metadata,l.push(u)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){const s=t.children[n];this.add(s.clone())}return this}}fn.DEFAULT_UP=new F(0,1,0),fn.DEFAULT_MATRIX_AUTO_UPDATE=!0,fn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;const ri=new F,Ii=new F,Kl=new F,Ni=new F,nr=new F,ir=new F,ou=new F,Zl=new F,Jl=new F,Ql=new F,tc=new Ve,ec=new Ve,nc=new Ve;class oi{constructor(t=new F,e=new F,n=new F){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),ri.subVectors(t,e),s.cross(ri);const r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){ri.subVectors(s,e),Ii.subVectors(n,e),Kl.subVectors(t,e);const o=ri.dot(ri),a=ri.dot(Ii),l=ri.dot(Kl),c=Ii.dot(Ii),u=Ii.dot(Kl),h=o*c-a*a;if(h===0)return r.set(0,0,0),null;const f=1/h,p=(c*l-a*u)*f,_=(o*u-a*l)*f;return r.set(1-p-_,_,p)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,Ni)===null?!1:Ni.x>=0&&Ni.y>=0&&Ni.x+Ni.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,Ni)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,Ni.x),l.addScaledVector(o,Ni.y),l.addScaledVector(a,Ni.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return tc.setScalar(0),ec.setScalar(0),nc.setScalar(0),tc.fromBufferAttribute(t,e),ec.fromBufferAttribute(t,n),nc.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(tc,r.x),o.addScaledVector(ec,r.y),o.addScaledVector(nc,r.z),o}static isFrontFacing(t,e,n,s){return ri.subVectors(n,e),Ii.subVectors(t,e),ri.cross(Ii).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return ri.subVectors(this.c,this.b),Ii.subVectors(this.a,this.b),ri.cross(Ii).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return oi.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return oi.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return oi.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return oi.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return oi.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){const n=this.a,s=this.b,r=this.c;let o,a;nr.subVectors(s,n),ir.subVectors(r,n),Zl.subVectors(t,n);const l=nr.dot(Zl),c=ir.dot(Zl);if(l<=0&&c<=0)return e.copy(n);Jl.subVectors(t,s);const u=nr.dot(Jl),h=ir.dot(Jl);if(u>=0&&h<=u)return e.copy(s);const f=l*h-u*c;if(f<=0&&l>=0&&u<=0)return o=l/(l-u),e.copy(n).addScaledVector(nr,o);Ql.subVectors(t,r);const p=nr.dot(Ql),_=ir.dot(Ql);if(_>=0&&p<=_)return e.copy(r);const x=p*c-l*_;if(x<=0&&c>=0&&_<=0)return a=c/(c-_),e.copy(n).addScaledVector(ir,a);const m=u*_-p*h;if(m<=0&&h-u>=0&&p-_>=0)return ou.subVectors(r,s),a=(h-u)/(h-u+(p-_)),e.copy(s).addScaledVector(ou,a);const d=1/(m+x+f);return o=x*d,a=f*d,e.copy(n).addScaledVector(nr,o).addScaledVector(ir,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}}const au={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},ji={h:0,s:0,l:0},zo={h:0,s:0,l:0};function ic(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}class Kt{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){const s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=Yn){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,fe.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=fe.workingColorSpace){return this.r=t,this.g=e,this.b=n,fe.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=fe.workingColorSpace){if(t=Um(t,1),e=ae(e,0,1),n=ae(n,0,1),e===0)this.r=this.g=this.b=n;else{const r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=ic(o,r,t+1/3),this.g=ic(o,r,t),this.b=ic(o,r,t-1/3)}return fe.colorSpaceToWorking(this,s),this}setStyle(t,e=Yn){function n(r){r!==void 0&&parseFloat(r)<1&&console.warn("THREE.Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r;const o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+)\%\s*,\s*(\d+)\%\s*,\s*(\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseInt(r[1],10))/100,Math.min(100,parseInt(r[2],10))/100,Math.min(100,parseInt(r[3],10))/100,e);break;case"hsl":case"hsla":if(r=/^\s*(\d*\.?\d+)\s*,\s*(\d*\.?\d+)\%\s*,\s*(\d*\.?\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:console.warn("THREE.Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){const r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);console.warn("THREE.Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=Yn){const n=au[t.toLowerCase()];return n!==void 0?this.setHex(n,e):console.warn("THREE.Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=Pi(t.r),this.g=Pi(t.g),this.b=Pi(t.b),this}copyLinearToSRGB(t){return this.r=qs(t.r),this.g=qs(t.g),this.b=qs(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=Yn){return fe.workingToColorSpace(gn.copy(this),t),Math.round(ae(gn.r*255,0,255))*65536+Math.round(ae(gn.g*255,0,255))*256+Math.round(ae(gn.b*255,0,255))}getHexString(t=Yn){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=fe.workingColorSpace){fe.workingToColorSpace(gn.copy(this),e);const n=gn.r,s=gn.g,r=gn.b,o=Math.max(n,s,r),a=Math.min(n,s,r);let l,c;const u=(a+o)/2;if(a===o)l=0,c=0;else{const h=o-a;switch(c=u<=.5?h/(o+a):h/(2-o-a),o){case n:l=(s-r)/h+(s<r?6:0);break;case s:l=(r-n)/h+2;break;case r:l=(n-s)/h+4;break}l/=6}return t.h=l,t.s=c,t.l=u,t}getRGB(t,e=fe.workingColorSpace){return fe.workingToColorSpace(gn.copy(this),e),t.r=gn.r,t.g=gn.g,t.b=gn.b,t}getStyle(t=Yn){fe.workingToColorSpace(gn.copy(this),t);const e=gn.r,n=gn.g,s=gn.b;return t!==Yn?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(ji),this.setHSL(ji.h+t,ji.s+e,ji.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(ji),t.getHSL(zo);const n=Ol(ji.h,zo.h,e),s=Ol(ji.s,zo.s,e),r=Ol(ji.l,zo.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){const e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}}const gn=new Kt;Kt.NAMES=au;let Km=0;class sr extends ds{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Km++}),this.uuid=Xr(),this.name="",this.type="Material",this.blending=Hs,this.side=di,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=ka,this.blendDst=Ha,this.blendEquation=cs,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Kt(0,0,0),this.blendAlpha=0,this.depthFunc=Vs,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=Gh,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Ys,this.stencilZFail=Ys,this.stencilZPass=Ys,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(const e in t){const n=t[e];if(n===void 0){console.warn(`THREE.Material: parameter '${e}' has value of undefined.`);continue}const s=this[e];if(s===void 0){console.warn(`THREE.Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){const e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});const n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,this.name!==""&&(n.name=this.name),this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&this.emissiveIntensity!==1&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessRange!==void 0&&(n.iridescenceThicknessRange=this.iridescenceThicknessRange),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&this.attenuationDistance!==1/0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.shadowSide!==null&&(n.shadowSide=this.shadowSide),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),this.blending!==Hs&&(n.blending=this.blending),this.side!==di&&(n.side=this.side),this.vertexColors===!0&&(n.vertexColors=!0),this.opacity<1&&(n.opacity=this.opacity),this.transparent===!0&&(n.transparent=!0),this.blendSrc!==ka&&(n.blendSrc=this.blendSrc),this.blendDst!==Ha&&(n.blendDst=this.blendDst),this.blendEquation!==cs&&(n.blendEquation=this.blendEquation),this.blendSrcAlpha!==null&&(n.blendSrcAlpha=this.blendSrcAlpha),this.blendDstAlpha!==null&&(n.blendDstAlpha=this.blendDstAlpha),this.blendEquationAlpha!==null&&(n.blendEquationAlpha=this.blendEquationAlpha),this.blendColor&&this.blendColor.isColor&&(n.blendColor=this.blendColor.getHex()),this.blendAlpha!==0&&(n.blendAlpha=this.blendAlpha),this.depthFunc!==Vs&&(n.depthFunc=this.depthFunc),this.depthTest===!1&&(n.depthTest=this.depthTest),this.depthWrite===!1&&(n.depthWrite=this.depthWrite),this.colorWrite===!1&&(n.colorWrite=this.colorWrite),this.stencilWriteMask!==255&&(n.stencilWriteMask=this.stencilWriteMask),this.stencilFunc!==Gh&&(n.stencilFunc=this.stencilFunc),this.stencilRef!==0&&(n.stencilRef=this.stencilRef),this.stencilFuncMask!==255&&(n.stencilFuncMask=this.stencilFuncMask),this.stencilFail!==Ys&&(n.stencilFail=this.stencilFail),this.stencilZFail!==Ys&&(n.stencilZFail=this.stencilZFail),this.stencilZPass!==Ys&&(n.stencilZPass=this.stencilZPass),this.stencilWrite===!0&&(n.stencilWrite=this.stencilWrite),this.rotation!==void 0&&this.rotation!==0&&(n.rotation=this.rotation),this.polygonOffset===!0&&(n.polygonOffset=!0),this.polygonOffsetFactor!==0&&(n.polygonOffsetFactor=this.polygonOffsetFactor),this.polygonOffsetUnits!==0&&(n.polygonOffsetUnits=this.polygonOffsetUnits),this.linewidth!==void 0&&this.linewidth!==1&&(n.linewidth=this.linewidth),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.dithering===!0&&(n.dithering=!0),this.alphaTest>0&&(n.alphaTest=this.alphaTest),this.alphaHash===!0&&(n.alphaHash=!0),this.alphaToCoverage===!0&&(n.alphaToCoverage=!0),this.premultipliedAlpha===!0&&(n.premultipliedAlpha=!0),this.forceSinglePass===!0&&(n.forceSinglePass=!0),this.wireframe===!0&&(n.wireframe=!0),this.wireframeLinewidth>1&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!=="round"&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!=="round"&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading===!0&&(n.flatShading=!0),this.visible===!1&&(n.visible=!1),this.toneMapped===!1&&(n.toneMapped=!1),this.fog===!1&&(n.fog=!1),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){const o=[];for(const a in r){const l=r[a];delete l.metadata,o.push(l)}return o}if(e){const r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;const e=t.clippingPlanes;let n=null;if(e!==null){const s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}}class rr extends sr{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Kt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new vi,this.combine=ja,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}}const Xe=new F,ko=new ee;let Zm=0;class nn{constructor(t,e,n=!1){if(Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Zm++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=Xh,this.updateRanges=[],this.gpuType=gi,this.version=0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)ko.fromBufferAttribute(this,e),ko.applyMatrix3(t),this.setXY(e,ko.x,ko.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)Xe.fromBufferAttribute(this,e),Xe.applyMatrix3(t),this.setXYZ(e,Xe.x,Xe.y,Xe.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)Xe.fromBufferAttribute(this,e),Xe.applyMatrix4(t),this.setXYZ(e,Xe.x,Xe.y,Xe.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)Xe.fromBufferAttribute(this,e),Xe.applyNormalMatrix(t),this.setXYZ(e,Xe.x,Xe.y,Xe.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)Xe.fromBufferAttribute(this,e),Xe.transformDirection(t),this.setXYZ(e,Xe.x,Xe.y,Xe.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=Yr(n,this.array)),n}setComponent(t,e,n){return this.normalized&&(n=Pn(n,this.array)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=Yr(e,this.array)),e}setX(t,e){return this.normalized&&(e=Pn(e,this.array)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=Yr(e,this.array)),e}setY(t,e){return this.normalized&&(e=Pn(e,this.array)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=Yr(e,this.array)),e}setZ(t,e){return this.normalized&&(e=Pn(e,this.array)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=Yr(e,this.array)),e}setW(t,e){return this.normalized&&(e=Pn(e,this.array)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=Pn(e,this.array),n=Pn(n,this.array)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=Pn(e,this.array),n=Pn(n,this.array),s=Pn(s,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=Pn(e,this.array),n=Pn(n,this.array),s=Pn(s,this.array),r=Pn(r,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){const t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return this.name!==""&&(t.name=this.name),this.usage!==Xh&&(t.usage=this.usage),t}}class lu extends nn{constructor(t,e,n){super(new Uint16Array(t),e,n)}}class cu extends nn{constructor(t,e,n){super(new Uint32Array(t),e,n)}}class He extends nn{constructor(t,e,n){super(new Float32Array(t),e,n)}}let Jm=0;const $n=new Se,sc=new fn,or=new F,Bn=new Wi,Zr=new Wi,sn=new F;class Ye extends ds{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Jm++}),this.uuid=Xr(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={}}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new($h(t)?cu:lu)(t,1):this.index=t,this}setIndirect(t){return this.indirect=t,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){const e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);const n=this.attributes.normal;if(n!==void 0){const r=new se().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}const s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}applyQuaternion(t){return $n.makeRotationFromQuaternion(t),this.applyMatrix4($n),this}rotateX(t){return $n.makeRotationX(t),this.applyMatrix4($n),this}rotateY(t){return $n.makeRotationY(t),this.applyMatrix4($n),this}rotateZ(t){return $n.makeRotationZ(t),this.applyMatrix4($n),this}translate(t,e,n){return $n.makeTranslation(t,e,n),this.applyMatrix4($n),this}scale(t,e,n){return $n.makeScale(t,e,n),this.applyMatrix4($n),this}lookAt(t){return sc.lookAt(t),sc.updateMatrix(),this.applyMatrix4(sc.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(or).negate(),this.translate(or.x,or.y,or.z),this}setFromPoints(t){const e=this.getAttribute("position");if(e===void 0){const n=[];for(let s=0,r=t.length;s<r;s++){const o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new He(n,3))}else{const n=Math.min(t.length,e.count);for(let s=0;s<n;s++){const r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&console.warn("THREE.BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Wi);const t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new F(-1/0,-1/0,-1/0),new F(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){const r=e[n];Bn.setFromBufferAttribute(r),this.morphTargetsRelative?(sn.addVectors(this.boundingBox.min,Bn.min),this.boundingBox.expandByPoint(sn),sn.addVectors(this.boundingBox.max,Bn.max),this.boundingBox.expandByPoint(sn)):(this.boundingBox.expandByPoint(Bn.min),this.boundingBox.expandByPoint(Bn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&console.error('THREE.BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Js);const t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new F,1/0);return}if(t){const n=this.boundingSphere.center;if(Bn.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){const a=e[r];Zr.setFromBufferAttribute(a),this.morphTargetsRelative?(sn.addVectors(Bn.min,Zr.min),Bn.expandByPoint(sn),sn.addVectors(Bn.max,Zr.max),Bn.expandByPoint(sn)):(Bn.expandByPoint(Zr.min),Bn.expandByPoint(Zr.max))}Bn.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)sn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(sn));if(e)for(let r=0,o=e.length;r<o;r++){const a=e[r],l=this.morphTargetsRelative;for(let c=0,u=a.count;c<u;c++)sn.fromBufferAttribute(a,c),l&&(or.fromBufferAttribute(t,c),sn.add(or)),s=Math.max(s,n.distanceToSquared(sn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error('THREE.BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){const t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){console.error("THREE.BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}const n=e.position,s=e.normal,r=e.uv;this.hasAttribute("tangent")===!1&&this.setAttribute("tangent",new nn(new Float32Array(4*n.count),4));const o=this.getAttribute("tangent"),a=[],l=[];for(let O=0;O<n.count;O++)a[O]=new F,l[O]=new F;const c=new F,u=new F,h=new F,f=new ee,p=new ee,_=new ee,x=new F,m=new F;function d(O,b,E){c.fromBufferAttribute(n,O),u.fromBufferAttribute(n,b),h.fromBufferAttribute(n,E),f.fromBufferAttribute(r,O),p.fromBufferAttribute(r,b),_.fromBufferAttribute(r,E),u.sub(c),h.sub(c),p.sub(f),_.sub(f);const C=1/(p.x*_.y-_.x*p.y);isFinite(C)&&(x.copy(u).multiplyScalar(_.y).addScaledVector(h,-p.y).multiplyScalar(C),m.copy(h).multiplyScalar(p.x).addScaledVector(u,-_.x).multiplyScalar(C),a[O].add(x),a[b].add(x),a[E].add(x),l[O].add(m),l[b].add(m),l[E].add(m))}let T=this.groups;T.length===0&&(T=[{start:0,count:t.count}]);for(let O=0,b=T.length;O<b;++O){const E=T[O],C=E.start,H=E.count;for(let B=C,W=C+H;B<W;B+=3)d(t.getX(B+0),t.getX(B+1),t.getX(B+2))}const w=new F,S=new F,D=new F,A=new F;function U(O){D.fromBufferAttribute(s,O),A.copy(D);const b=a[O];w.copy(b),w.sub(D.multiplyScalar(D.dot(b))).normalize(),S.crossVectors(A,b);const C=S.dot(l[O])<0?-1:1;o.setXYZW(O,w.x,w.y,w.z,C)}for(let O=0,b=T.length;O<b;++O){const E=T[O],C=E.start,H=E.count;for(let B=C,W=C+H;B<W;B+=3)U(t.getX(B+0)),U(t.getX(B+1)),U(t.getX(B+2))}}computeVertexNormals(){const t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0)n=new nn(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let f=0,p=n.count;f<p;f++)n.setXYZ(f,0,0,0);const s=new F,r=new F,o=new F,a=new F,l=new F,c=new F,u=new F,h=new F;if(t)for(let f=0,p=t.count;f<p;f+=3){const _=t.getX(f+0),x=t.getX(f+1),m=t.getX(f+2);s.fromBufferAttribute(e,_),r.fromBufferAttribute(e,x),o.fromBufferAttribute(e,m),u.subVectors(o,r),h.subVectors(s,r),u.cross(h),a.fromBufferAttribute(n,_),l.fromBufferAttribute(n,x),c.fromBufferAttribute(n,m),a.add(u),l.add(u),c.add(u),n.setXYZ(_,a.x,a.y,a.z),n.setXYZ(x,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let f=0,p=e.count;f<p;f+=3)s.fromBufferAttribute(e,f+0),r.fromBufferAttribute(e,f+1),o.fromBufferAttribute(e,f+2),u.subVectors(o,r),h.subVectors(s,r),u.cross(h),n.setXYZ(f+0,u.x,u.y,u.z),n.setXYZ(f+1,u.x,u.y,u.z),n.setXYZ(f+2,u.x,u.y,u.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){const t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)sn.fromBufferAttribute(t,e),sn.normalize(),t.setXYZ(e,sn.x,sn.y,sn.z)}toNonIndexed(){function t(a,l){const c=a.array,u=a.itemSize,h=a.normalized,f=new c.constructor(l.length*u);let p=0,_=0;for(let x=0,m=l.length;x<m;x++){a.isInterleavedBufferAttribute?p=l[x]*a.data.stride+a.offset:p=l[x]*u;for(let d=0;d<u;d++)f[_++]=c[p++]}return new nn(f,u,h)}if(this.index===null)return console.warn("THREE.BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;const e=new Ye,n=this.index.array,s=this.attributes;for(const a in s){const l=s[a],c=t(l,n);e.setAttribute(a,c)}const r=this.morphAttributes;for(const a in r){const l=[],c=r[a];for(let u=0,h=c.length;u<h;u++){const f=c[u],p=t(f,n);l.push(p)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;const o=this.groups;for(let a=0,l=o.length;a<l;a++){const c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){const t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.type,this.name!==""&&(t.name=this.name),Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0){const l=this.parameters;for(const c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};const e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});const n=this.attributes;for(const l in n){const c=n[l];t.data.attributes[l]=c.toJSON(t.data)}const s={};let r=!1;for(const l in this.morphAttributes){const c=this.morphAttributes[l],u=[];for(let h=0,f=c.length;h<f;h++){const p=c[h];u.push(p.toJSON(t.data))}u.length>0&&(s[l]=u,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);const o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));const a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;const e={};this.name=t.name;const n=t.index;n!==null&&this.setIndex(n.clone());const s=t.attributes;for(const c in s){const u=s[c];this.setAttribute(c,u.clone(e))}const r=t.morphAttributes;for(const c in r){const u=[],h=r[c];for(let f=0,p=h.length;f<p;f++)u.push(h[f].clone(e));this.morphAttributes[c]=u}this.morphTargetsRelative=t.morphTargetsRelative;const o=t.groups;for(let c=0,u=o.length;c<u;c++){const h=o[c];this.addGroup(h.start,h.count,h.materialIndex)}const a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());const l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this}dispose(){this.dispatchEvent({type:"dispose"})}}const hu=new Se,_s=new Fo,Ho=new Js,uu=new F,Vo=new F,Go=new F,Wo=new F,rc=new F,Xo=new F,fu=new F,Yo=new F;class Dn extends fn{constructor(t=new Ye,e=new rr){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0&&(this.morphTargetInfluences=t.morphTargetInfluences.slice()),t.morphTargetDictionary!==void 0&&(this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary)),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){const e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){const s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){const a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){const n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);const a=this.morphTargetInfluences;if(r&&a){Xo.set(0,0,0);for(let l=0,c=r.length;l<c;l++){const u=a[l],h=r[l];u!==0&&(rc.fromBufferAttribute(h,t),o?Xo.addScaledVector(rc,u):Xo.addScaledVector(rc.sub(e),u))}e.add(Xo)}return e}raycast(t,e){const n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Ho.copy(n.boundingSphere),Ho.applyMatrix4(r),_s.copy(t.ray).recast(t.near),!(Ho.containsPoint(_s.origin)===!1&&(_s.intersectSphere(Ho,uu)===null||_s.origin.distanceToSquared(uu)>(t.far-t.near)**2))&&(hu.copy(r).invert(),_s.copy(t.ray).applyMatrix4(hu),!(n.boundingBox!==null&&_s.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,_s)))}_computeIntersections(t,e,n){let s;const r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,u=r.attributes.uv1,h=r.attributes.normal,f=r.groups,p=r.drawRange;if(a!==null)if(Array.isArray(o))for(let _=0,x=f.length;_<x;_++){const m=f[_],d=o[m.materialIndex],T=Math.max(m.start,p.start),w=Math.min(a.count,Math.min(m.start+m.count,p.start+p.count));for(let S=T,D=w;S<D;S+=3){const A=a.getX(S),U=a.getX(S+1),O=a.getX(S+2);s=qo(this,d,t,n,c,u,h,A,U,O),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{const _=Math.max(0,p.start),x=Math.min(a.count,p.start+p.count);for(let m=_,d=x;m<d;m+=3){const T=a.getX(m),w=a.getX(m+1),S=a.getX(m+2);s=qo(this,o,t,n,c,u,h,T,w,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let _=0,x=f.length;_<x;_++){const m=f[_],d=o[m.materialIndex],T=Math.max(m.start,p.start),w=Math.min(l.count,Math.min(m.start+m.count,p.start+p.count));for(let S=T,D=w;S<D;S+=3){const A=S,U=S+1,O=S+2;s=qo(this,d,t,n,c,u,h,A,U,O),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{const _=Math.max(0,p.start),x=Math.min(l.count,p.start+p.count);for(let m=_,d=x;m<d;m+=3){const T=m,w=m+1,S=m+2;s=qo(this,o,t,n,c,u,h,T,w,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}}function Qm(i,t,e,n,s,r,o,a){let l;if(t.side===Cn?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===di,a),l===null)return null;Yo.copy(a),Yo.applyMatrix4(i.matrixWorld);const c=e.ray.origin.distanceTo(Yo);return c<e.near||c>e.far?null:{distance:c,point:Yo.clone(),object:i}}function qo(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,Vo),i.getVertexPosition(l,Go),i.getVertexPosition(c,Wo);const u=Qm(i,t,e,n,Vo,Go,Wo,fu);if(u){const h=new F;oi.getBarycoord(fu,Vo,Go,Wo,h),s&&(u.uv=oi.getInterpolatedAttribute(s,a,l,c,h,new ee)),r&&(u.uv1=oi.getInterpolatedAttribute(r,a,l,c,h,new ee)),o&&(u.normal=oi.getInterpolatedAttribute(o,a,l,c,h,new F),u.normal.dot(n.direction)>0&&u.normal.multiplyScalar(-1));const f={a,b:l,c,normal:new F,materialIndex:0};oi.getNormal(Vo,Go,Wo,f.normal),u.face=f,u.barycoord=h}return u}class Jr extends Ye{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};const a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);const l=[],c=[],u=[],h=[];let f=0,p=0;_("z","y","x",-1,-1,n,e,t,o,r,0),_("z","y","x",1,-1,n,e,-t,o,r,1),_("x","z","y",1,1,t,n,e,s,o,2),_("x","z","y",1,-1,t,n,-e,s,o,3),_("x","y","z",1,-1,t,e,n,s,r,4),_("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new He(c,3)),this.setAttribute("normal",new He(u,3)),this.setAttribute("uv",new He(h,2));function _(x,m,d,T,w,S,D,A,U,O,b){const E=S/U,C=D/O,H=S/2,B=D/2,W=A/2,X=U+1,$=O+1;let Q=0,J=0;const at=new F;for(let lt=0;lt<$;lt++){const vt=lt*C-B;for(let St=0;St<X;St++){const _t=St*E-H;at[x]=_t*T,at[m]=vt*w,at[d]=W,c.push(at.x,at.y,at.z),at[x]=0,at[m]=0,at[d]=A>0?1:-1,u.push(at.x,at.y,at.z),h.push(St/U),h.push(1-lt/O),Q+=1}}for(let lt=0;lt<O;lt++)for(let vt=0;vt<U;vt++){const St=f+vt+X*lt,_t=f+vt+X*(lt+1),ne=f+(vt+1)+X*(lt+1),Zt=f+(vt+1)+X*lt;l.push(St,_t,Zt),l.push(_t,ne,Zt),J+=6}a.addGroup(p,J,b),p+=J,f+=Q}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new Jr(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}}function ar(i){const t={};for(const e in i){t[e]={};for(const n in i[e]){const s=i[e][n];s&&(s.isColor||s.isMatrix3||s.isMatrix4||s.isVector2||s.isVector3||s.isVector4||s.isTexture||s.isQuaternion)?s.isRenderTargetTexture?(console.warn("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone():Array.isArray(s)?t[e][n]=s.slice():t[e][n]=s}}return t}function Mn(i){const t={};for(let e=0;e<i.length;e++){const n=ar(i[e]);for(const s in n)t[s]=n[s]}return t}function tg(i){const t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function du(i){const t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:fe.workingColorSpace}const eg={clone:ar,merge:Mn};var ng=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,ig=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`;class Ki extends sr{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=ng,this.fragmentShader=ig,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=ar(t.uniforms),this.uniformsGroups=tg(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this}toJSON(t){const e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(const s in this.uniforms){const o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;const n={};for(const s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}}class pu extends fn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Se,this.projectionMatrix=new Se,this.projectionMatrixInverse=new Se,this.coordinateSystem=_i,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorldInverse.copy(this.matrixWorld).invert()}updateWorldMatrix(t,e){super.updateWorldMatrix(t,e),this.matrixWorldInverse.copy(this.matrixWorld).invert()}clone(){return new this.constructor().copy(this)}}const Zi=new F,mu=new ee,gu=new ee;class jn extends pu{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){const e=.5*this.getFilmHeight()/t;this.fov=Fl*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){const t=Math.tan(Co*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return Fl*2*Math.atan(Math.tan(Co*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){Zi.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Zi.x,Zi.y).multiplyScalar(-t/Zi.z),Zi.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Zi.x,Zi.y).multiplyScalar(-t/Zi.z)}getViewSize(t,e){return this.getViewBounds(t,mu,gu),e.subVectors(gu,mu)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const t=this.near;let e=t*Math.tan(Co*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s;const o=this.view;if(this.view!==null&&this.view.enabled){const l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}const a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){const e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}}const lr=-90,cr=1;class sg extends fn{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;const s=new jn(lr,cr,t,e);s.layers=this.layers,this.add(s);const r=new jn(lr,cr,t,e);r.layers=this.layers,this.add(r);const o=new jn(lr,cr,t,e);o.layers=this.layers,this.add(o);const a=new jn(lr,cr,t,e);a.layers=this.layers,this.add(a);const l=new jn(lr,cr,t,e);l.layers=this.layers,this.add(l);const c=new jn(lr,cr,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){const t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(const c of e)this.remove(c);if(t===_i)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Ro)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(const c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();const{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());const[r,o,a,l,c,u]=this.children,h=t.getRenderTarget(),f=t.getActiveCubeFace(),p=t.getActiveMipmapLevel(),_=t.xr.enabled;t.xr.enabled=!1;const x=n.texture.generateMipmaps;n.texture.generateMipmaps=!1,t.setRenderTarget(n,0,s),t.render(e,r),t.setRenderTarget(n,1,s),t.render(e,o),t.setRenderTarget(n,2,s),t.render(e,a),t.setRenderTarget(n,3,s),t.render(e,l),t.setRenderTarget(n,4,s),t.render(e,c),n.texture.generateMipmaps=x,t.setRenderTarget(n,5,s),t.render(e,u),t.setRenderTarget(h,f,p),t.xr.enabled=_,n.texture.needsPMREMUpdate=!0}}class _u extends xn{constructor(t=[],e=Gs,n,s,r,o,a,l,c,u){super(t,e,n,s,r,o,a,l,c,u),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}}class rg extends ps{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;const n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new _u(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;const n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new Jr(5,5,5),r=new Ki({name:"CubemapFromEquirect",uniforms:ar(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Cn,blending:Hi});r.uniforms.tEquirect.value=e;const o=new Dn(s,r),a=e.minFilter;return e.minFilter===us&&(e.minFilter=pi),new sg(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){const r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}}class Kn extends fn{constructor(){super(),this.isGroup=!0,this.type="Group"}}const og={type:"move"};class oc{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Kn,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Kn,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new F,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new F),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Kn,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new F,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new F),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){const e=this._hand;if(e)for(const n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null;const a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(const x of t.hand.values()){const m=e.getJointPose(x,n),d=this._getHandJoint(c,x);m!==null&&(d.matrix.fromArray(m.transform.matrix),d.matrix.decompose(d.position,d.rotation,d.scale),d.matrixWorldNeedsUpdate=!0,d.jointRadius=m.radius),d.visible=m!==null}const u=c.joints["index-finger-tip"],h=c.joints["thumb-tip"],f=u.position.distanceTo(h.position),p=.02,_=.005;c.inputState.pinching&&f>p+_?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&f<=p-_&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.rotation,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.rotation,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(og)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){const n=new Kn;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}}class ag extends fn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new vi,this.environmentIntensity=1,this.environmentRotation=new vi,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),t.background!==null&&(this.background=t.background.clone()),t.environment!==null&&(this.environment=t.environment.clone()),t.fog!==null&&(this.fog=t.fog.clone()),this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),t.overrideMaterial!==null&&(this.overrideMaterial=t.overrideMaterial.clone()),this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){const e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),this.backgroundBlurriness>0&&(e.object.backgroundBlurriness=this.backgroundBlurriness),this.backgroundIntensity!==1&&(e.object.backgroundIntensity=this.backgroundIntensity),e.object.backgroundRotation=this.backgroundRotation.toArray(),this.environmentIntensity!==1&&(e.object.environmentIntensity=this.environmentIntensity),e.object.environmentRotation=this.environmentRotation.toArray(),e}}class lg extends xn{constructor(t=null,e=1,n=1,s,r,o,a,l,c=Fn,u=Fn,h,f){super(null,o,a,l,c,u,s,r,h,f),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}}class vu extends nn{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){const t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}}const hr=new Se,xu=new Se,$o=[],Mu=new Wi,cg=new Se,Qr=new Dn,to=new Js;class hg extends Dn{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new vu(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,cg)}computeBoundingBox(){const t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new Wi),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,hr),Mu.copy(t.boundingBox).applyMatrix4(hr),this.boundingBox.union(Mu)}computeBoundingSphere(){const t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new Js),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,hr),to.copy(t.boundingSphere).applyMatrix4(hr),this.boundingSphere.union(to)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),t.morphTexture!==null&&(this.morphTexture=t.morphTexture.clone()),t.instanceColor!==null&&(this.instanceColor=t.instanceColor.clone()),this.count=t.count,t.boundingBox!==null&&(this.boundingBox=t.boundingBox.clone()),t.boundingSphere!==null&&(this.boundingSphere=t.boundingSphere.clone()),this}getColorAt(t,e){e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){const n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){const n=this.matrixWorld,s=this.count;if(Qr.geometry=this.geometry,Qr.material=this.material,Qr.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),to.copy(this.boundingSphere),to.applyMatrix4(n),t.ray.intersectsSphere(to)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,hr),xu.multiplyMatrices(n,hr),Qr.matrixWorld=xu,Qr.raycast(t,$o);for(let o=0,a=$o.length;o<a;o++){const l=$o[o];l.instanceId=r,l.object=this,e.push(l)}$o.length=0}}setColorAt(t,e){this.instanceColor===null&&(this.instanceColor=new vu(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3)}setMatrixAt(t,e){e.toArray(this.instanceMatrix.array,t*16)}setMorphAt(t,e){const n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new lg(new Float32Array(s*this.count),s,this.count,sl,gi));const r=this.morphTexture.source.data.data;let o=0;for(let c=0;c<n.length;c++)o+=n[c];const a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;r[l]=a,r.set(n,l+1)}updateMorphTargets(){}dispose(){this.dispatchEvent({type:"dispose"}),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}}const ac=new F,ug=new F,fg=new se;class Ji{constructor(t=new F(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){const s=ac.subVectors(n,e).cross(ug.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){const t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e){const n=t.delta(ac),s=this.normal.dot(n);if(s===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;const r=-(t.start.dot(this.normal)+this.constant)/s;return r<0||r>1?null:e.copy(t.start).addScaledVector(n,r)}intersectsLine(t){const e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){const n=e||fg.getNormalMatrix(t),s=this.coplanarPoint(ac).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}}const vs=new Js,dg=new ee(.5,.5),jo=new F;class lc{constructor(t=new Ji,e=new Ji,n=new Ji,s=new Ji,r=new Ji,o=new Ji){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){const a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){const e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=_i,n=!1){const s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],u=r[4],h=r[5],f=r[6],p=r[7],_=r[8],x=r[9],m=r[10],d=r[11],T=r[12],w=r[13],S=r[14],D=r[15];if(s[0].setComponents(c-o,p-u,d-_,D-T).normalize(),s[1].setComponents(c+o,p+u,d+_,D+T).normalize(),s[2].setComponents(c+a,p+h,d+x,D+w).normalize(),s[3].setComponents(c-a,p-h,d-x,D-w).normalize(),n)s[4].setComponents(l,f,m,S).normalize(),s[5].setComponents(c-l,p-f,d-m,D-S).normalize();else if(s[4].setComponents(c-l,p-f,d-m,D-S).normalize(),e===_i)s[5].setComponents(c+l,p+f,d+m,D+S).normalize();else if(e===Ro)s[5].setComponents(l,f,m,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),vs.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{const e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),vs.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(vs)}intersectsSprite(t){vs.center.set(0,0,0);const e=dg.distanceTo(t.center);return vs.radius=.7071067811865476+e,vs.applyMatrix4(t.matrixWorld),this.intersectsSphere(vs)}intersectsSphere(t){const e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){const e=this.planes;for(let n=0;n<6;n++){const s=e[n];if(jo.x=s.normal.x>0?t.max.x:t.min.x,jo.y=s.normal.y>0?t.max.y:t.min.y,jo.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(jo)<0)return!1}return!0}containsPoint(t){const e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}}class xs extends sr{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Kt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}}const Ko=new F,Zo=new F,Su=new Se,eo=new Fo,Jo=new Js,cc=new F,yu=new F;class Eu extends fn{constructor(t=new Ye,e=new xs){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){const t=this.geometry;if(t.index===null){const e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Ko.fromBufferAttribute(e,s-1),Zo.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Ko.distanceTo(Zo);t.setAttribute("lineDistance",new He(n,1))}else console.warn("THREE.Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}raycast(t,e){const n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Jo.copy(n.boundingSphere),Jo.applyMatrix4(s),Jo.radius+=r,t.ray.intersectsSphere(Jo)===!1)return;Su.copy(s).invert(),eo.copy(t.ray).applyMatrix4(Su);const a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,u=n.index,f=n.attributes.position;if(u!==null){const p=Math.max(0,o.start),_=Math.min(u.count,o.start+o.count);for(let x=p,m=_-1;x<m;x+=c){const d=u.getX(x),T=u.getX(x+1),w=Qo(this,t,eo,l,d,T,x);w&&e.push(w)}if(this.isLineLoop){const x=u.getX(_-1),m=u.getX(p),d=Qo(this,t,eo,l,x,m,_-1);d&&e.push(d)}}else{const p=Math.max(0,o.start),_=Math.min(f.count,o.start+o.count);for(let x=p,m=_-1;x<m;x+=c){const d=Qo(this,t,eo,l,x,x+1,x);d&&e.push(d)}if(this.isLineLoop){const x=Qo(this,t,eo,l,_-1,p,_-1);x&&e.push(x)}}}updateMorphTargets(){const e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){const s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){const a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}}function Qo(i,t,e,n,s,r,o){const a=i.geometry.attributes.position;if(Ko.fromBufferAttribute(a,s),Zo.fromBufferAttribute(a,r),e.distanceSqToSegment(Ko,Zo,cc,yu)>n)return;cc.applyMatrix4(i.matrixWorld);const c=t.ray.origin.distanceTo(cc);if(!(c<t.near||c>t.far))return{distance:c,point:yu.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}const bu=new F,Tu=new F;class no extends Eu{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){const t=this.geometry;if(t.index===null){const e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)bu.fromBufferAttribute(e,s),Tu.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+bu.distanceTo(Tu);t.setAttribute("lineDistance",new He(n,1))}else console.warn("THREE.LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}}class wu extends xn{constructor(t,e,n=fs,s,r,o,a=Fn,l=Fn,c,u=Gr,h=1){if(u!==Gr&&u!==Wr)throw new Error("DepthTexture format must be either THREE.DepthFormat or THREE.DepthStencilFormat");const f={width:t,height:e,depth:h};super(f,s,r,o,a,l,u,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new kl(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){const e=super.toJSON(t);return this.compareFunction!==null&&(e.compareFunction=this.compareFunction),e}}class Au extends xn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}}class Ms extends Ye{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};const c=this;s=Math.floor(s),r=Math.floor(r);const u=[],h=[],f=[],p=[];let _=0;const x=[],m=n/2;let d=0;T(),o===!1&&(t>0&&w(!0),e>0&&w(!1)),this.setIndex(u),this.setAttribute("position",new He(h,3)),this.setAttribute("normal",new He(f,3)),this.setAttribute("uv",new He(p,2));function T(){const S=new F,D=new F;let A=0;const U=(e-t)/n;for(let O=0;O<=r;O++){const b=[],E=O/r,C=E*(e-t)+t;for(let H=0;H<=s;H++){const B=H/s,W=B*l+a,X=Math.sin(W),$=Math.cos(W);D.x=C*X,D.y=-E*n+m,D.z=C*$,h.push(D.x,D.y,D.z),S.set(X,U,$).normalize(),f.push(S.x,S.y,S.z),p.push(B,1-E),b.push(_++)}x.push(b)}for(let O=0;O<s;O++)for(let b=0;b<r;b++){const E=x[b][O],C=x[b+1][O],H=x[b+1][O+1],B=x[b][O+1];(t>0||b!==0)&&(u.push(E,C,B),A+=3),(e>0||b!==r-1)&&(u.push(C,H,B),A+=3)}c.addGroup(d,A,0),d+=A}function w(S){const D=_,A=new ee,U=new F;let O=0;const b=S===!0?t:e,E=S===!0?1:-1;for(let H=1;H<=s;H++)h.push(0,m*E,0),f.push(0,E,0),p.push(.5,.5),_++;const C=_;for(let H=0;H<=s;H++){const W=H/s*l+a,X=Math.cos(W),$=Math.sin(W);U.x=b*$,U.y=m*E,U.z=b*X,h.push(U.x,U.y,U.z),f.push(0,E,0),A.x=X*.5+.5,A.y=$*.5*E+.5,p.push(A.x,A.y),_++}for(let H=0;H<s;H++){const B=D+H,W=C+H;S===!0?u.push(W,W+1,B):u.push(W+1,W,B),O+=3}c.addGroup(d,O,S===!0?1:2),d+=O}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new Ms(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}}class hc extends Ms{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new hc(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}}class ta extends Ye{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};const r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,u=l+1,h=t/a,f=e/l,p=[],_=[],x=[],m=[];for(let d=0;d<u;d++){const T=d*f-o;for(let w=0;w<c;w++){const S=w*h-r;_.push(S,-T,0),x.push(0,0,1),m.push(w/a),m.push(1-d/l)}}for(let d=0;d<l;d++)for(let T=0;T<a;T++){const w=T+c*d,S=T+c*(d+1),D=T+1+c*(d+1),A=T+1+c*d;p.push(w,S,A),p.push(S,D,A)}this.setIndex(p),this.setAttribute("position",new He(_,3)),this.setAttribute("normal",new He(x,3)),this.setAttribute("uv",new He(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new ta(t.width,t.height,t.widthSegments,t.heightSegments)}}class ur extends Ye{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));const l=Math.min(o+a,Math.PI);let c=0;const u=[],h=new F,f=new F,p=[],_=[],x=[],m=[];for(let d=0;d<=n;d++){const T=[],w=d/n;let S=0;d===0&&o===0?S=.5/e:d===n&&l===Math.PI&&(S=-.5/e);for(let D=0;D<=e;D++){const A=D/e;h.x=-t*Math.cos(s+A*r)*Math.sin(o+w*a),h.y=t*Math.cos(o+w*a),h.z=t*Math.sin(s+A*r)*Math.sin(o+w*a),_.push(h.x,h.y,h.z),f.copy(h).normalize(),x.push(f.x,f.y,f.z),m.push(A+S,1-w),T.push(c++)}u.push(T)}for(let d=0;d<n;d++)for(let T=0;T<e;T++){const w=u[d][T+1],S=u[d][T],D=u[d+1][T],A=u[d+1][T+1];(d!==0||o>0)&&p.push(w,S,A),(d!==n-1||l<Math.PI)&&p.push(S,D,A)}this.setIndex(p),this.setAttribute("position",new He(_,3)),this.setAttribute("normal",new He(x,3)),this.setAttribute("uv",new He(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new ur(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}}class fr extends sr{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new Kt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Kt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=Vh,this.normalScale=new ee(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new vi,this.combine=ja,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}}class pg extends sr{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=ym,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}}class mg extends sr{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}}class Ru extends fn{constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new Kt(t),this.intensity=e}dispose(){}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){const e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,this.groundColor!==void 0&&(e.object.groundColor=this.groundColor.getHex()),this.distance!==void 0&&(e.object.distance=this.distance),this.angle!==void 0&&(e.object.angle=this.angle),this.decay!==void 0&&(e.object.decay=this.decay),this.penumbra!==void 0&&(e.object.penumbra=this.penumbra),this.shadow!==void 0&&(e.object.shadow=this.shadow.toJSON()),this.target!==void 0&&(e.object.target=this.target.uuid),e}}const uc=new Se,Cu=new F,Pu=new F;class gg{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new ee(512,512),this.mapType=mi,this.map=null,this.mapPass=null,this.matrix=new Se,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new lc,this._frameExtents=new ee(1,1),this._viewportCount=1,this._viewports=[new Ve(0,0,1,1)]}getViewportCount(){return this._viewportCount}getFrustum(){return this._frustum}updateMatrices(t){const e=this.camera,n=this.matrix;Cu.setFromMatrixPosition(t.matrixWorld),e.position.copy(Cu),Pu.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(Pu),e.updateMatrixWorld(),uc.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),this._frustum.setFromProjectionMatrix(uc,e.coordinateSystem,e.reversedDepth),e.reversedDepth?n.set(.5,0,0,.5,0,.5,0,.5,0,0,1,0,0,0,0,1):n.set(.5,0,0,.5,0,.5,0,.5,0,0,.5,.5,0,0,0,1),n.multiply(uc)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this}clone(){return new this.constructor().copy(this)}toJSON(){const t={};return this.intensity!==1&&(t.intensity=this.intensity),this.bias!==0&&(t.bias=this.bias),this.normalBias!==0&&(t.normalBias=this.normalBias),this.radius!==1&&(t.radius=this.radius),(this.mapSize.x!==512||this.mapSize.y!==512)&&(t.mapSize=this.mapSize.toArray()),t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}}class Du extends pu{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2;let r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){const c=(this.right-this.left)/this.view.fullWidth/this.zoom,u=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=u*this.view.offsetY,l=a-u*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){const e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}}class _g extends gg{constructor(){super(new Du(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}}class vg extends Ru{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(fn.DEFAULT_UP),this.updateMatrix(),this.target=new fn,this.shadow=new _g}dispose(){this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}}class xg extends Ru{constructor(t,e){super(t,e),this.isAmbientLight=!0,this.type="AmbientLight"}}class Mg extends jn{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t}}const Lu=new Se;class Sg{constructor(t,e,n=0,s=1/0){this.ray=new Fo(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new $l,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,(e.near+e.far)/(e.near-e.far)).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):console.error("THREE.Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return Lu.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Lu),this}intersectObject(t,e=!0,n=[]){return fc(t,this,n,e),n.sort(Uu),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)fc(t[s],this,n,e);return n.sort(Uu),n}}function Uu(i,t){return i.distance-t.distance}function fc(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){const r=i.children;for(let o=0,a=r.length;o<a;o++)fc(r[o],t,e,!0)}}class Iu{constructor(t=1,e=0,n=0){this.radius=t,this.phi=e,this.theta=n}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=ae(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(ae(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}}class yg extends ds{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){if(t===void 0){console.warn("THREE.Controls: connect() now requires an element.");return}this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}}function Nu(i,t,e,n){const s=Eg(n);switch(e){case zh:return i*t;case sl:return i*t/s.components*s.byteLength;case rl:return i*t/s.components*s.byteLength;case Hh:return i*t*2/s.components*s.byteLength;case ol:return i*t*2/s.components*s.byteLength;case kh:return i*t*3/s.components*s.byteLength;case ni:return i*t*4/s.components*s.byteLength;case al:return i*t*4/s.components*s.byteLength;case Eo:case bo:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case To:case wo:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case cl:case ul:return Math.max(i,16)*Math.max(t,8)/4;case ll:case hl:return Math.max(i,8)*Math.max(t,8)/2;case fl:case dl:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case pl:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case ml:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case gl:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case _l:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case vl:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case xl:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case Ml:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Sl:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case yl:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case El:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case bl:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Tl:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case wl:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Al:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Rl:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case Cl:case Pl:case Dl:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Ll:case Ul:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Il:case Nl:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function Eg(i){switch(i){case mi:case Nh:return{byteLength:1,components:1};case kr:case Fh:case Hr:return{byteLength:2,components:1};case nl:case il:return{byteLength:2,components:4};case fs:case el:case gi:return{byteLength:4,components:1};case Oh:case Bh:return{byteLength:4,components:3}}throw new Error(`Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:za}})),typeof window<"u"&&(window.__THREE__?console.warn("WARNING: Multiple instances of Three.js being imported."):window.__THREE__=za);function Fu(){let i=null,t=!1,e=null,n=null;function s(r,o){e(r,o),n=i.requestAnimationFrame(s)}return{start:function(){t!==!0&&e!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function bg(i){const t=new WeakMap;function e(a,l){const c=a.array,u=a.usage,h=c.byteLength,f=i.createBuffer();i.bindBuffer(l,f),i.bufferData(l,c,u),a.onUploadCallback();let p;if(c instanceof Float32Array)p=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)p=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?p=i.HALF_FLOAT:p=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)p=i.SHORT;else if(c instanceof Uint32Array)p=i.UNSIGNED_INT;else if(c instanceof Int32Array)p=i.INT;else if(c instanceof Int8Array)p=i.BYTE;else if(c instanceof Uint8Array)p=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)p=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:f,type:p,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:h}}function n(a,l,c){const u=l.array,h=l.updateRanges;if(i.bindBuffer(c,a),h.length===0)i.bufferSubData(c,0,u);else{h.sort((p,_)=>p.start-_.start);let f=0;for(let p=1;p<h.length;p++){const _=h[f],x=h[p];x.start<=_.start+_.count+1?_.count=Math.max(_.count,x.start+x.count-_.start):(++f,h[f]=x)}h.length=f+1;for(let p=0,_=h.length;p<_;p++){const x=h[p];i.bufferSubData(c,x.start*u.BYTES_PER_ELEMENT,u,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);const l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){const u=t.get(a);(!u||u.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}const c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var Tg=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,wg=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,Ag=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,Rg=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Cg=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,Pg=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,Dg=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Lg=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,Ug=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec3 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 ).rgb;
	}
#endif`,Ig=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,Ng=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,Fg=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,Og=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,Bg=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,zg=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,kg=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Hg=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,Vg=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,Gg=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Wg=`#if defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#elif defined( USE_COLOR )
	diffuseColor.rgb *= vColor;
#endif`,Xg=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR )
	varying vec3 vColor;
#endif`,Yg=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec3 vColor;
#endif`,qg=`#if defined( USE_COLOR_ALPHA )
	vColor = vec4( 1.0 );
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec3( 1.0 );
#endif
#ifdef USE_COLOR
	vColor *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.xyz *= instanceColor.xyz;
#endif
#ifdef USE_BATCHING_COLOR
	vec3 batchingColor = getBatchingColor( getIndirectIndex( gl_DrawID ) );
	vColor.xyz *= batchingColor.xyz;
#endif`,$g=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
vec3 inverseTransformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( vec4( dir, 0.0 ) * matrix ).xyz );
}
mat3 transposeMat3( const in mat3 m ) {
	mat3 tmp;
	tmp[ 0 ] = vec3( m[ 0 ].x, m[ 1 ].x, m[ 2 ].x );
	tmp[ 1 ] = vec3( m[ 0 ].y, m[ 1 ].y, m[ 2 ].y );
	tmp[ 2 ] = vec3( m[ 0 ].z, m[ 1 ].z, m[ 2 ].z );
	return tmp;
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,jg=`#ifdef ENVMAP_TYPE_CUBE_UV
	#define cubeUV_minMipLevel 4.0
	#define cubeUV_minTileSize 16.0
	float getFace( vec3 direction ) {
		vec3 absDirection = abs( direction );
		float face = - 1.0;
		if ( absDirection.x > absDirection.z ) {
			if ( absDirection.x > absDirection.y )
				face = direction.x > 0.0 ? 0.0 : 3.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		} else {
			if ( absDirection.z > absDirection.y )
				face = direction.z > 0.0 ? 2.0 : 5.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		}
		return face;
	}
	vec2 getUV( vec3 direction, float face ) {
		vec2 uv;
		if ( face == 0.0 ) {
			uv = vec2( direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 1.0 ) {
			uv = vec2( - direction.x, - direction.z ) / abs( direction.y );
		} else if ( face == 2.0 ) {
			uv = vec2( - direction.x, direction.y ) / abs( direction.z );
		} else if ( face == 3.0 ) {
			uv = vec2( - direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 4.0 ) {
			uv = vec2( - direction.x, direction.z ) / abs( direction.y );
		} else {
			uv = vec2( direction.x, direction.y ) / abs( direction.z );
		}
		return 0.5 * ( uv + 1.0 );
	}
	vec3 bilinearCubeUV( sampler2D envMap, vec3 direction, float mipInt ) {
		float face = getFace( direction );
		float filterInt = max( cubeUV_minMipLevel - mipInt, 0.0 );
		mipInt = max( mipInt, cubeUV_minMipLevel );
		float faceSize = exp2( mipInt );
		highp vec2 uv = getUV( direction, face ) * ( faceSize - 2.0 ) + 1.0;
		if ( face > 2.0 ) {
			uv.y += faceSize;
			face -= 3.0;
		}
		uv.x += face * faceSize;
		uv.x += filterInt * 3.0 * cubeUV_minTileSize;
		uv.y += 4.0 * ( exp2( CUBEUV_MAX_MIP ) - faceSize );
		uv.x *= CUBEUV_TEXEL_WIDTH;
		uv.y *= CUBEUV_TEXEL_HEIGHT;
		#ifdef texture2DGradEXT
			return texture2DGradEXT( envMap, uv, vec2( 0.0 ), vec2( 0.0 ) ).rgb;
		#else
			return texture2D( envMap, uv ).rgb;
		#endif
	}
	#define cubeUV_r0 1.0
	#define cubeUV_m0 - 2.0
	#define cubeUV_r1 0.8
	#define cubeUV_m1 - 1.0
	#define cubeUV_r4 0.4
	#define cubeUV_m4 2.0
	#define cubeUV_r5 0.305
	#define cubeUV_m5 3.0
	#define cubeUV_r6 0.21
	#define cubeUV_m6 4.0
	float roughnessToMip( float roughness ) {
		float mip = 0.0;
		if ( roughness >= cubeUV_r1 ) {
			mip = ( cubeUV_r0 - roughness ) * ( cubeUV_m1 - cubeUV_m0 ) / ( cubeUV_r0 - cubeUV_r1 ) + cubeUV_m0;
		} else if ( roughness >= cubeUV_r4 ) {
			mip = ( cubeUV_r1 - roughness ) * ( cubeUV_m4 - cubeUV_m1 ) / ( cubeUV_r1 - cubeUV_r4 ) + cubeUV_m1;
		} else if ( roughness >= cubeUV_r5 ) {
			mip = ( cubeUV_r4 - roughness ) * ( cubeUV_m5 - cubeUV_m4 ) / ( cubeUV_r4 - cubeUV_r5 ) + cubeUV_m4;
		} else if ( roughness >= cubeUV_r6 ) {
			mip = ( cubeUV_r5 - roughness ) * ( cubeUV_m6 - cubeUV_m5 ) / ( cubeUV_r5 - cubeUV_r6 ) + cubeUV_m5;
		} else {
			mip = - 2.0 * log2( 1.16 * roughness );		}
		return mip;
	}
	vec4 textureCubeUV( sampler2D envMap, vec3 sampleDir, float roughness ) {
		float mip = clamp( roughnessToMip( roughness ), cubeUV_m0, CUBEUV_MAX_MIP );
		float mipF = fract( mip );
		float mipInt = floor( mip );
		vec3 color0 = bilinearCubeUV( envMap, sampleDir, mipInt );
		if ( mipF == 0.0 ) {
			return vec4( color0, 1.0 );
		} else {
			vec3 color1 = bilinearCubeUV( envMap, sampleDir, mipInt + 1.0 );
			return vec4( mix( color0, color1, mipF ), 1.0 );
		}
	}
#endif`,Kg=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
	#ifdef FLIP_SIDED
		transformedTangent = - transformedTangent;
	#endif
#endif`,Zg=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,Jg=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,Qg=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,t_=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,e_="gl_FragColor = linearToOutputTexel( gl_FragColor );",n_=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,i_=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * vec3( flipEnvMap * reflectVec.x, reflectVec.yz ) );
	#else
		vec4 envColor = vec4( 0.0 );
	#endif
	#ifdef ENVMAP_BLENDING_MULTIPLY
		outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_MIX )
		outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_ADD )
		outgoingLight += envColor.xyz * specularStrength * reflectivity;
	#endif
#endif`,s_=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform float flipEnvMap;
	uniform mat3 envMapRotation;
	#ifdef ENVMAP_TYPE_CUBE
		uniform samplerCube envMap;
	#else
		uniform sampler2D envMap;
	#endif
	
#endif`,r_=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,o_=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,a_=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,l_=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,c_=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,h_=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,u_=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,f_=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,d_=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,p_=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,m_=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,g_=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif`,__=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * worldNormal, 1.0 );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, roughness * roughness) );
			reflectVec = inverseTransformDirection( reflectVec, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * reflectVec, roughness );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_CUBE_UV
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
#endif`,v_=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,x_=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,M_=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,S_=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,y_=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb * ( 1.0 - metalnessFactor );
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.0525 );material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = mix( min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.0525 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.07, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,E_=`struct PhysicalMaterial {
	vec3 diffuseColor;
	float roughness;
	vec3 specularColor;
	float specularF90;
	float dispersion;
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		float v = 0.5 / ( gv + gl );
		return saturate(v);
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = material.clearcoatRoughness;
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColor;
	float f90 = material.specularF90;
	float roughness = material.roughness;
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float V = V_GGX_SmithCorrelated_Anisotropic( material.alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( material.alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transposeMat3( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float a = roughness < 0.25 ? -339.2 * r2 + 161.4 * roughness - 25.9 : -8.48 * r2 + 14.3 * roughness - 9.95;
	float b = roughness < 0.25 ? 44.0 * r2 - 23.7 * roughness + 3.26 : 1.97 * r2 - 3.27 * roughness + 0.72;
	float DG = exp( a * dotNV + b ) + ( roughness < 0.25 ? 0.0 : 0.1 * ( roughness - 0.25 ) );
	return saturate( DG * RECIPROCAL_PI );
}
vec2 DFGApprox( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	const vec4 c0 = vec4( - 1, - 0.0275, - 0.572, 0.022 );
	const vec4 c1 = vec4( 1, 0.0425, 1.04, - 0.04 );
	vec4 r = roughness * c0 + c1;
	float a004 = min( r.x * r.x, exp2( - 9.28 * dotNV ) ) * r.x + r.y;
	vec2 fab = vec2( - 1.04, 1.04 ) * a004 + r.zw;
	return fab;
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColor * t2.x + ( vec3( 1.0 ) - material.specularColor ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseColor * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
	#endif
	reflectedLight.directSpecular += irradiance * BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
	#endif
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.iridescence, material.iridescenceFresnel, material.roughness, singleScattering, multiScattering );
	#else
		computeMultiscattering( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.roughness, singleScattering, multiScattering );
	#endif
	vec3 totalScattering = singleScattering + multiScattering;
	vec3 diffuse = material.diffuseColor * ( 1.0 - max( max( totalScattering.r, totalScattering.g ), totalScattering.b ) );
	reflectedLight.indirectSpecular += radiance * singleScattering;
	reflectedLight.indirectSpecular += multiScattering * cosineWeightedIrradiance;
	reflectedLight.indirectDiffuse += diffuse * cosineWeightedIrradiance;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,b_=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		material.iridescenceFresnel = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		material.iridescenceF0 = Schlick_to_F0( material.iridescenceFresnel, 1.0, dotNVi );
	}
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,T_=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD ) && defined( ENVMAP_TYPE_CUBE_UV )
		iblIrradiance += getIBLIrradiance( geometryNormal );
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		radiance += getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		radiance += getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,w_=`#if defined( RE_IndirectDiffuse )
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,A_=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,R_=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,C_=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,P_=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,D_=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,L_=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,U_=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,I_=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,N_=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,F_=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,O_=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,B_=`#if defined( USE_MORPHCOLORS )
	vColor *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,z_=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,k_=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,H_=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,V_=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,G_=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,W_=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,X_=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Y_=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
	#endif
#endif`,q_=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,$_=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,j_=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,K_=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,Z_=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,J_=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,Q_=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return depth * ( near - far ) - near;
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return ( near * far ) / ( ( far - near ) * depth - far );
}`,t0=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,e0=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,n0=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,i0=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,s0=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,r0=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,o0=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform sampler2D pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	float texture2DCompare( sampler2D depths, vec2 uv, float compare ) {
		float depth = unpackRGBAToDepth( texture2D( depths, uv ) );
		#ifdef USE_REVERSED_DEPTH_BUFFER
			return step( depth, compare );
		#else
			return step( compare, depth );
		#endif
	}
	vec2 texture2DDistribution( sampler2D shadow, vec2 uv ) {
		return unpackRGBATo2Half( texture2D( shadow, uv ) );
	}
	float VSMShadow( sampler2D shadow, vec2 uv, float compare ) {
		float occlusion = 1.0;
		vec2 distribution = texture2DDistribution( shadow, uv );
		#ifdef USE_REVERSED_DEPTH_BUFFER
			float hard_shadow = step( distribution.x, compare );
		#else
			float hard_shadow = step( compare, distribution.x );
		#endif
		if ( hard_shadow != 1.0 ) {
			float distance = compare - distribution.x;
			float variance = max( 0.00000, distribution.y * distribution.y );
			float softness_probability = variance / (variance + distance * distance );			softness_probability = clamp( ( softness_probability - 0.3 ) / ( 0.95 - 0.3 ), 0.0, 1.0 );			occlusion = clamp( max( hard_shadow, softness_probability ), 0.0, 1.0 );
		}
		return occlusion;
	}
	float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
		float shadow = 1.0;
		shadowCoord.xyz /= shadowCoord.w;
		shadowCoord.z += shadowBias;
		bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
		bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
		if ( frustumTest ) {
		#if defined( SHADOWMAP_TYPE_PCF )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx0 = - texelSize.x * shadowRadius;
			float dy0 = - texelSize.y * shadowRadius;
			float dx1 = + texelSize.x * shadowRadius;
			float dy1 = + texelSize.y * shadowRadius;
			float dx2 = dx0 / 2.0;
			float dy2 = dy0 / 2.0;
			float dx3 = dx1 / 2.0;
			float dy3 = dy1 / 2.0;
			shadow = (
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy1 ), shadowCoord.z )
			) * ( 1.0 / 17.0 );
		#elif defined( SHADOWMAP_TYPE_PCF_SOFT )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx = texelSize.x;
			float dy = texelSize.y;
			vec2 uv = shadowCoord.xy;
			vec2 f = fract( uv * shadowMapSize + 0.5 );
			uv -= f * texelSize;
			shadow = (
				texture2DCompare( shadowMap, uv, shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( dx, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( 0.0, dy ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + texelSize, shadowCoord.z ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, 0.0 ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 0.0 ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, dy ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( 0.0, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 0.0, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( texture2DCompare( shadowMap, uv + vec2( dx, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( dx, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( mix( texture2DCompare( shadowMap, uv + vec2( -dx, -dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, -dy ), shadowCoord.z ),
						  f.x ),
					 mix( texture2DCompare( shadowMap, uv + vec2( -dx, 2.0 * dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 2.0 * dy ), shadowCoord.z ),
						  f.x ),
					 f.y )
			) * ( 1.0 / 9.0 );
		#elif defined( SHADOWMAP_TYPE_VSM )
			shadow = VSMShadow( shadowMap, shadowCoord.xy, shadowCoord.z );
		#else
			shadow = texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z );
		#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	vec2 cubeToUV( vec3 v, float texelSizeY ) {
		vec3 absV = abs( v );
		float scaleToCube = 1.0 / max( absV.x, max( absV.y, absV.z ) );
		absV *= scaleToCube;
		v *= scaleToCube * ( 1.0 - 2.0 * texelSizeY );
		vec2 planar = v.xy;
		float almostATexel = 1.5 * texelSizeY;
		float almostOne = 1.0 - almostATexel;
		if ( absV.z >= almostOne ) {
			if ( v.z > 0.0 )
				planar.x = 4.0 - v.x;
		} else if ( absV.x >= almostOne ) {
			float signX = sign( v.x );
			planar.x = v.z * signX + 2.0 * signX;
		} else if ( absV.y >= almostOne ) {
			float signY = sign( v.y );
			planar.x = v.x + 2.0 * signY + 2.0;
			planar.y = v.z * signY - 2.0;
		}
		return vec2( 0.125, 0.25 ) * planar + vec2( 0.375, 0.75 );
	}
	float getPointShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		
		float lightToPositionLength = length( lightToPosition );
		if ( lightToPositionLength - shadowCameraFar <= 0.0 && lightToPositionLength - shadowCameraNear >= 0.0 ) {
			float dp = ( lightToPositionLength - shadowCameraNear ) / ( shadowCameraFar - shadowCameraNear );			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			vec2 texelSize = vec2( 1.0 ) / ( shadowMapSize * vec2( 4.0, 2.0 ) );
			#if defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_PCF_SOFT ) || defined( SHADOWMAP_TYPE_VSM )
				vec2 offset = vec2( - 1, 1 ) * shadowRadius * texelSize.y;
				shadow = (
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxx, texelSize.y ), dp )
				) * ( 1.0 / 9.0 );
			#else
				shadow = texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp );
			#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
#endif`,a0=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,l0=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	vec3 shadowWorldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,c0=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,h0=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,u0=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,f0=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,d0=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,p0=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,m0=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,g0=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,_0=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,v0=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = inverseTransformDirection( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseColor, material.specularColor, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,x0=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,M0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,S0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,y0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,E0=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`;const re={alphahash_fragment:Tg,alphahash_pars_fragment:wg,alphamap_fragment:Ag,alphamap_pars_fragment:Rg,alphatest_fragment:Cg,alphatest_pars_fragment:Pg,aomap_fragment:Dg,aomap_pars_fragment:Lg,batching_pars_vertex:Ug,batching_vertex:Ig,begin_vertex:Ng,beginnormal_vertex:Fg,bsdfs:Og,iridescence_fragment:Bg,bumpmap_pars_fragment:zg,clipping_planes_fragment:kg,clipping_planes_pars_fragment:Hg,clipping_planes_pars_vertex:Vg,clipping_planes_vertex:Gg,color_fragment:Wg,color_pars_fragment:Xg,color_pars_vertex:Yg,color_vertex:qg,common:$g,cube_uv_reflection_fragment:jg,defaultnormal_vertex:Kg,displacementmap_pars_vertex:Zg,displacementmap_vertex:Jg,emissivemap_fragment:Qg,emissivemap_pars_fragment:t_,colorspace_fragment:e_,colorspace_pars_fragment:n_,envmap_fragment:i_,envmap_common_pars_fragment:s_,envmap_pars_fragment:r_,envmap_pars_vertex:o_,envmap_physical_pars_fragment:__,envmap_vertex:a_,fog_vertex:l_,fog_pars_vertex:c_,fog_fragment:h_,fog_pars_fragment:u_,gradientmap_pars_fragment:f_,lightmap_pars_fragment:d_,lights_lambert_fragment:p_,lights_lambert_pars_fragment:m_,lights_pars_begin:g_,lights_toon_fragment:v_,lights_toon_pars_fragment:x_,lights_phong_fragment:M_,lights_phong_pars_fragment:S_,lights_physical_fragment:y_,lights_physical_pars_fragment:E_,lights_fragment_begin:b_,lights_fragment_maps:T_,lights_fragment_end:w_,logdepthbuf_fragment:A_,logdepthbuf_pars_fragment:R_,logdepthbuf_pars_vertex:C_,logdepthbuf_vertex:P_,map_fragment:D_,map_pars_fragment:L_,map_particle_fragment:U_,map_particle_pars_fragment:I_,metalnessmap_fragment:N_,metalnessmap_pars_fragment:F_,morphinstance_vertex:O_,morphcolor_vertex:B_,morphnormal_vertex:z_,morphtarget_pars_vertex:k_,morphtarget_vertex:H_,normal_fragment_begin:V_,normal_fragment_maps:G_,normal_pars_fragment:W_,normal_pars_vertex:X_,normal_vertex:Y_,normalmap_pars_fragment:q_,clearcoat_normal_fragment_begin:$_,clearcoat_normal_fragment_maps:j_,clearcoat_pars_fragment:K_,iridescence_pars_fragment:Z_,opaque_fragment:J_,packing:Q_,premultiplied_alpha_fragment:t0,project_vertex:e0,dithering_fragment:n0,dithering_pars_fragment:i0,roughnessmap_fragment:s0,roughnessmap_pars_fragment:r0,shadowmap_pars_fragment:o0,shadowmap_pars_vertex:a0,shadowmap_vertex:l0,shadowmask_pars_fragment:c0,skinbase_vertex:h0,skinning_pars_vertex:u0,skinning_vertex:f0,skinnormal_vertex:d0,specularmap_fragment:p0,specularmap_pars_fragment:m0,tonemapping_fragment:g0,tonemapping_pars_fragment:_0,transmission_fragment:v0,transmission_pars_fragment:x0,uv_pars_fragment:M0,uv_pars_vertex:S0,uv_vertex:y0,worldpos_vertex:E0,background_vert:`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,background_frag:`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,backgroundCube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,backgroundCube_frag:`#ifdef ENVMAP_TYPE_CUBE
	uniform samplerCube envMap;
#elif defined( ENVMAP_TYPE_CUBE_UV )
	uniform sampler2D envMap;
#endif
uniform float flipEnvMap;
uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <cube_uv_reflection_fragment>
void main() {
	#ifdef ENVMAP_TYPE_CUBE
		vec4 texColor = textureCube( envMap, backgroundRotation * vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) );
	#elif defined( ENVMAP_TYPE_CUBE_UV )
		vec4 texColor = textureCubeUV( envMap, backgroundRotation * vWorldDirection, backgroundBlurriness );
	#else
		vec4 texColor = vec4( 0.0, 0.0, 0.0, 1.0 );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,cube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,cube_frag:`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,depth_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,depth_frag:`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,distanceRGBA_vert:`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,distanceRGBA_frag:`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main () {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = packDepthToRGBA( dist );
}`,equirect_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,equirect_frag:`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,linedashed_vert:`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,linedashed_frag:`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,meshbasic_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,meshbasic_frag:`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshlambert_vert:`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshlambert_frag:`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshmatcap_vert:`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,meshmatcap_frag:`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshnormal_vert:`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,meshnormal_frag:`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <packing>
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( packNormalToRGB( normal ), diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,meshphong_vert:`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshphong_frag:`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshphysical_vert:`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,meshphysical_frag:`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <cube_uv_reflection_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
		float sheenEnergyComp = 1.0 - 0.157 * max3( material.sheenColor );
		outgoingLight = outgoingLight * sheenEnergyComp + sheenSpecularDirect + sheenSpecularIndirect;
	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshtoon_vert:`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshtoon_frag:`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,points_vert:`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,points_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,shadow_vert:`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,shadow_frag:`uniform vec3 color;
uniform float opacity;
#include <common>
#include <packing>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,sprite_vert:`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,sprite_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`},Et={common:{diffuse:{value:new Kt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new se},alphaMap:{value:null},alphaMapTransform:{value:new se},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new se}},envmap:{envMap:{value:null},envMapRotation:{value:new se},flipEnvMap:{value:-1},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new se}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new se}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new se},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new se},normalScale:{value:new ee(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new se},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new se}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new se}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new se}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Kt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMap:{value:[]},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotShadowMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMap:{value:[]},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null}},points:{diffuse:{value:new Kt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new se},alphaTest:{value:0},uvTransform:{value:new se}},sprite:{diffuse:{value:new Kt(16777215)},opacity:{value:1},center:{value:new ee(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new se},alphaMap:{value:null},alphaMapTransform:{value:new se},alphaTest:{value:0}}},xi={basic:{uniforms:Mn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.fog]),vertexShader:re.meshbasic_vert,fragmentShader:re.meshbasic_frag},lambert:{uniforms:Mn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,Et.lights,{emissive:{value:new Kt(0)}}]),vertexShader:re.meshlambert_vert,fragmentShader:re.meshlambert_frag},phong:{uniforms:Mn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,Et.lights,{emissive:{value:new Kt(0)},specular:{value:new Kt(1118481)},shininess:{value:30}}]),vertexShader:re.meshphong_vert,fragmentShader:re.meshphong_frag},standard:{uniforms:Mn([Et.common,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.roughnessmap,Et.metalnessmap,Et.fog,Et.lights,{emissive:{value:new Kt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag},toon:{uniforms:Mn([Et.common,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.gradientmap,Et.fog,Et.lights,{emissive:{value:new Kt(0)}}]),vertexShader:re.meshtoon_vert,fragmentShader:re.meshtoon_frag},matcap:{uniforms:Mn([Et.common,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,{matcap:{value:null}}]),vertexShader:re.meshmatcap_vert,fragmentShader:re.meshmatcap_frag},points:{uniforms:Mn([Et.points,Et.fog]),vertexShader:re.points_vert,fragmentShader:re.points_frag},dashed:{uniforms:Mn([Et.common,Et.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:re.linedashed_vert,fragmentShader:re.linedashed_frag},depth:{uniforms:Mn([Et.common,Et.displacementmap]),vertexShader:re.depth_vert,fragmentShader:re.depth_frag},normal:{uniforms:Mn([Et.common,Et.bumpmap,Et.normalmap,Et.displacementmap,{opacity:{value:1}}]),vertexShader:re.meshnormal_vert,fragmentShader:re.meshnormal_frag},sprite:{uniforms:Mn([Et.sprite,Et.fog]),vertexShader:re.sprite_vert,fragmentShader:re.sprite_frag},background:{uniforms:{uvTransform:{value:new se},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:re.background_vert,fragmentShader:re.background_frag},backgroundCube:{uniforms:{envMap:{value:null},flipEnvMap:{value:-1},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new se}},vertexShader:re.backgroundCube_vert,fragmentShader:re.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:re.cube_vert,fragmentShader:re.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:re.equirect_vert,fragmentShader:re.equirect_frag},distanceRGBA:{uniforms:Mn([Et.common,Et.displacementmap,{referencePosition:{value:new F},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:re.distanceRGBA_vert,fragmentShader:re.distanceRGBA_frag},shadow:{uniforms:Mn([Et.lights,Et.fog,{color:{value:new Kt(0)},opacity:{value:1}}]),vertexShader:re.shadow_vert,fragmentShader:re.shadow_frag}};xi.physical={uniforms:Mn([xi.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new se},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new se},clearcoatNormalScale:{value:new ee(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new se},dispersion:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new se},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new se},sheen:{value:0},sheenColor:{value:new Kt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new se},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new se},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new se},transmissionSamplerSize:{value:new ee},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new se},attenuationDistance:{value:0},attenuationColor:{value:new Kt(0)},specularColor:{value:new Kt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new se},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new se},anisotropyVector:{value:new ee},anisotropyMap:{value:null},anisotropyMapTransform:{value:new se}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag};const ea={r:0,b:0,g:0},Ss=new vi,b0=new Se;function T0(i,t,e,n,s,r,o){const a=new Kt(0);let l=r===!0?0:1,c,u,h=null,f=0,p=null;function _(w){let S=w.isScene===!0?w.background:null;return S&&S.isTexture&&(S=(w.backgroundBlurriness>0?e:t).get(S)),S}function x(w){let S=!1;const D=_(w);D===null?d(a,l):D&&D.isColor&&(d(D,1),S=!0);const A=i.xr.getEnvironmentBlendMode();A==="additive"?n.buffers.color.setClear(0,0,0,1,o):A==="alpha-blend"&&n.buffers.color.setClear(0,0,0,0,o),(i.autoClear||S)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function m(w,S){const D=_(S);D&&(D.isCubeTexture||D.mapping===So)?(u===void 0&&(u=new Dn(new Jr(1,1,1),new Ki({name:"BackgroundCubeMaterial",uniforms:ar(xi.backgroundCube.uniforms),vertexShader:xi.backgroundCube.vertexShader,fragmentShader:xi.backgroundCube.fragmentShader,side:Cn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),u.geometry.deleteAttribute("normal"),u.geometry.deleteAttribute("uv"),u.onBeforeRender=function(A,U,O){this.matrixWorld.copyPosition(O.matrixWorld)},Object.defineProperty(u.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),s.update(u)),Ss.copy(S.backgroundRotation),Ss.x*=-1,Ss.y*=-1,Ss.z*=-1,D.isCubeTexture&&D.isRenderTargetTexture===!1&&(Ss.y*=-1,Ss.z*=-1),u.material.uniforms.envMap.value=D,u.material.uniforms.flipEnvMap.value=D.isCubeTexture&&D.isRenderTargetTexture===!1?-1:1,u.material.uniforms.backgroundBlurriness.value=S.backgroundBlurriness,u.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,u.material.uniforms.backgroundRotation.value.setFromMatrix4(b0.makeRotationFromEuler(Ss)),u.material.toneMapped=fe.getTransfer(D.colorSpace)!==be,(h!==D||f!==D.version||p!==i.toneMapping)&&(u.material.needsUpdate=!0,h=D,f=D.version,p=i.toneMapping),u.layers.enableAll(),w.unshift(u,u.geometry,u.material,0,0,null)):D&&D.isTexture&&(c===void 0&&(c=new Dn(new ta(2,2),new Ki({name:"BackgroundMaterial",uniforms:ar(xi.background.uniforms),vertexShader:xi.background.vertexShader,fragmentShader:xi.background.fragmentShader,side:di,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),s.update(c)),c.material.uniforms.t2D.value=D,c.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,c.material.toneMapped=fe.getTransfer(D.colorSpace)!==be,D.matrixAutoUpdate===!0&&D.updateMatrix(),c.material.uniforms.uvTransform.value.copy(D.matrix),(h!==D||f!==D.version||p!==i.toneMapping)&&(c.material.needsUpdate=!0,h=D,f=D.version,p=i.toneMapping),c.layers.enableAll(),w.unshift(c,c.geometry,c.material,0,0,null))}function d(w,S){w.getRGB(ea,du(i)),n.buffers.color.setClear(ea.r,ea.g,ea.b,S,o)}function T(){u!==void 0&&(u.geometry.dispose(),u.material.dispose(),u=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return a},setClearColor:function(w,S=1){a.set(w),l=S,d(a,l)},getClearAlpha:function(){return l},setClearAlpha:function(w){l=w,d(a,l)},render:x,addToRenderList:m,dispose:T}}function w0(i,t){const e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=f(null);let r=s,o=!1;function a(E,C,H,B,W){let X=!1;const $=h(B,H,C);r!==$&&(r=$,c(r.object)),X=p(E,B,H,W),X&&_(E,B,H,W),W!==null&&t.update(W,i.ELEMENT_ARRAY_BUFFER),(X||o)&&(o=!1,S(E,C,H,B),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(W).buffer))}function l(){return i.createVertexArray()}function c(E){return i.bindVertexArray(E)}function u(E){return i.deleteVertexArray(E)}function h(E,C,H){const B=H.wireframe===!0;let W=n[E.id];W===void 0&&(W={},n[E.id]=W);let X=W[C.id];X===void 0&&(X={},W[C.id]=X);let $=X[B];return $===void 0&&($=f(l()),X[B]=$),$}function f(E){const C=[],H=[],B=[];for(let W=0;W<e;W++)C[W]=0,H[W]=0,B[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:C,enabledAttributes:H,attributeDivisors:B,object:E,attributes:{},index:null}}function p(E,C,H,B){const W=r.attributes,X=C.attributes;let $=0;const Q=H.getAttributes();for(const J in Q)if(Q[J].location>=0){const lt=W[J];let vt=X[J];if(vt===void 0&&(J==="instanceMatrix"&&E.instanceMatrix&&(vt=E.instanceMatrix),J==="instanceColor"&&E.instanceColor&&(vt=E.instanceColor)),lt===void 0||lt.attribute!==vt||vt&&lt.data!==vt.data)return!0;$++}return r.attributesNum!==$||r.index!==B}function _(E,C,H,B){const W={},X=C.attributes;let $=0;const Q=H.getAttributes();for(const J in Q)if(Q[J].location>=0){let lt=X[J];lt===void 0&&(J==="instanceMatrix"&&E.instanceMatrix&&(lt=E.instanceMatrix),J==="instanceColor"&&E.instanceColor&&(lt=E.instanceColor));const vt={};vt.attribute=lt,lt&&lt.data&&(vt.data=lt.data),W[J]=vt,$++}r.attributes=W,r.attributesNum=$,r.index=B}function x(){const E=r.newAttributes;for(let C=0,H=E.length;C<H;C++)E[C]=0}function m(E){d(E,0)}function d(E,C){const H=r.newAttributes,B=r.enabledAttributes,W=r.attributeDivisors;H[E]=1,B[E]===0&&(i.enableVertexAttribArray(E),B[E]=1),W[E]!==C&&(i.vertexAttribDivisor(E,C),W[E]=C)}function T(){const E=r.newAttributes,C=r.enabledAttributes;for(let H=0,B=C.length;H<B;H++)C[H]!==E[H]&&(i.disableVertexAttribArray(H),C[H]=0)}function w(E,C,H,B,W,X,$){$===!0?i.vertexAttribIPointer(E,C,H,W,X):i.vertexAttribPointer(E,C,H,B,W,X)}function S(E,C,H,B){x();const W=B.attributes,X=H.getAttributes(),$=C.defaultAttributeValues;for(const Q in X){const J=X[Q];if(J.location>=0){let at=W[Q];if(at===void 0&&(Q==="instanceMatrix"&&E.instanceMatrix&&(at=E.instanceMatrix),Q==="instanceColor"&&E.instanceColor&&(at=E.instanceColor)),at!==void 0){const lt=at.normalized,vt=at.itemSize,St=t.get(at);if(St===void 0)continue;const _t=St.buffer,ne=St.type,Zt=St.bytesPerElement,tt=ne===i.INT||ne===i.UNSIGNED_INT||at.gpuType===el;if(at.isInterleavedBufferAttribute){const nt=at.data,bt=nt.stride,zt=at.offset;if(nt.isInstancedInterleavedBuffer){for(let xt=0;xt<J.locationSize;xt++)d(J.location+xt,nt.meshPerAttribute);E.isInstancedMesh!==!0&&B._maxInstanceCount===void 0&&(B._maxInstanceCount=nt.meshPerAttribute*nt.count)}else for(let xt=0;xt<J.locationSize;xt++)m(J.location+xt);i.bindBuffer(i.ARRAY_BUFFER,_t);for(let xt=0;xt<J.locationSize;xt++)w(J.location+xt,vt/J.locationSize,ne,lt,bt*Zt,(zt+vt/J.locationSize*xt)*Zt,tt)}else{if(at.isInstancedBufferAttribute){for(let nt=0;nt<J.locationSize;nt++)d(J.location+nt,at.meshPerAttribute);E.isInstancedMesh!==!0&&B._maxInstanceCount===void 0&&(B._maxInstanceCount=at.meshPerAttribute*at.count)}else for(let nt=0;nt<J.locationSize;nt++)m(J.location+nt);i.bindBuffer(i.ARRAY_BUFFER,_t);for(let nt=0;nt<J.locationSize;nt++)w(J.location+nt,vt/J.locationSize,ne,lt,vt*Zt,vt/J.locationSize*nt*Zt,tt)}}else if($!==void 0){const lt=$[Q];if(lt!==void 0)switch(lt.length){case 2:i.vertexAttrib2fv(J.location,lt);break;case 3:i.vertexAttrib3fv(J.location,lt);break;case 4:i.vertexAttrib4fv(J.location,lt);break;default:i.vertexAttrib1fv(J.location,lt)}}}}T()}function D(){O();for(const E in n){const C=n[E];for(const H in C){const B=C[H];for(const W in B)u(B[W].object),delete B[W];delete C[H]}delete n[E]}}function A(E){if(n[E.id]===void 0)return;const C=n[E.id];for(const H in C){const B=C[H];for(const W in B)u(B[W].object),delete B[W];delete C[H]}delete n[E.id]}function U(E){for(const C in n){const H=n[C];if(H[E.id]===void 0)continue;const B=H[E.id];for(const W in B)u(B[W].object),delete B[W];delete H[E.id]}}function O(){b(),o=!0,r!==s&&(r=s,c(r.object))}function b(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:O,resetDefaultState:b,dispose:D,releaseStatesOfGeometry:A,releaseStatesOfProgram:U,initAttributes:x,enableAttribute:m,disableUnusedAttributes:T}}function A0(i,t,e){let n;function s(c){n=c}function r(c,u){i.drawArrays(n,c,u),e.update(u,n,1)}function o(c,u,h){h!==0&&(i.drawArraysInstanced(n,c,u,h),e.update(u,n,h))}function a(c,u,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,u,0,h);let p=0;for(let _=0;_<h;_++)p+=u[_];e.update(p,n,1)}function l(c,u,h,f){if(h===0)return;const p=t.get("WEBGL_multi_draw");if(p===null)for(let _=0;_<c.length;_++)o(c[_],u[_],f[_]);else{p.multiDrawArraysInstancedWEBGL(n,c,0,u,0,f,0,h);let _=0;for(let x=0;x<h;x++)_+=u[x]*f[x];e.update(_,n,1)}}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a,this.renderMultiDrawInstances=l}function R0(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){const U=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(U.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(U){return!(U!==ni&&n.convert(U)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(U){const O=U===Hr&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(U!==mi&&n.convert(U)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE)&&U!==gi&&!O)}function l(U){if(U==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";U="mediump"}return U==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp";const u=l(c);u!==c&&(console.warn("THREE.WebGLRenderer:",c,"not supported, using",u,"instead."),c=u);const h=e.logarithmicDepthBuffer===!0,f=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),p=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),_=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),d=i.getParameter(i.MAX_VERTEX_ATTRIBS),T=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),w=i.getParameter(i.MAX_VARYING_VECTORS),S=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),D=_>0,A=i.getParameter(i.MAX_SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:h,reversedDepthBuffer:f,maxTextures:p,maxVertexTextures:_,maxTextureSize:x,maxCubemapSize:m,maxAttributes:d,maxVertexUniforms:T,maxVaryings:w,maxFragmentUniforms:S,vertexTextures:D,maxSamples:A}}function C0(i){const t=this;let e=null,n=0,s=!1,r=!1;const o=new Ji,a=new se,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(h,f){const p=h.length!==0||f||n!==0||s;return s=f,n=h.length,p},this.beginShadows=function(){r=!0,u(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(h,f){e=u(h,f,0)},this.setState=function(h,f,p){const _=h.clippingPlanes,x=h.clipIntersection,m=h.clipShadows,d=i.get(h);if(!s||_===null||_.length===0||r&&!m)r?u(null):c();else{const T=r?0:n,w=T*4;let S=d.clippingState||null;l.value=S,S=u(_,f,w,p);for(let D=0;D!==w;++D)S[D]=e[D];d.clippingState=S,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=T}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function u(h,f,p,_){const x=h!==null?h.length:0;let m=null;if(x!==0){if(m=l.value,_!==!0||m===null){const d=p+x*4,T=f.matrixWorldInverse;a.getNormalMatrix(T),(m===null||m.length<d)&&(m=new Float32Array(d));for(let w=0,S=p;w!==x;++w,S+=4)o.copy(h[w]).applyMatrix4(T,a),o.normal.toArray(m,S),m[S+3]=o.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,m}}function P0(i){let t=new WeakMap;function e(o,a){return a===Ka?o.mapping=Gs:a===Za&&(o.mapping=Ws),o}function n(o){if(o&&o.isTexture){const a=o.mapping;if(a===Ka||a===Za)if(t.has(o)){const l=t.get(o).texture;return e(l,o.mapping)}else{const l=o.image;if(l&&l.height>0){const c=new rg(l.height);return c.fromEquirectangularTexture(i,o),t.set(o,c),o.addEventListener("dispose",s),e(c.texture,o.mapping)}else return null}}return o}function s(o){const a=o.target;a.removeEventListener("dispose",s);const l=t.get(a);l!==void 0&&(t.delete(a),l.dispose())}function r(){t=new WeakMap}return{get:n,dispose:r}}const dr=4,Ou=[.125,.215,.35,.446,.526,.582],ys=20,dc=new Du,Bu=new Kt;let pc=null,mc=0,gc=0,_c=!1;const Es=(1+Math.sqrt(5))/2,pr=1/Es,zu=[new F(-Es,pr,0),new F(Es,pr,0),new F(-pr,0,Es),new F(pr,0,Es),new F(0,Es,-pr),new F(0,Es,pr),new F(-1,1,-1),new F(1,1,-1),new F(-1,1,1),new F(1,1,1)],D0=new F;class ku{constructor(t){this._renderer=t,this._pingPongRenderTarget=null,this._lodMax=0,this._cubeSize=0,this._lodPlanes=[],this._sizeLods=[],this._sigmas=[],this._blurMaterial=null,this._cubemapMaterial=null,this._equirectMaterial=null,this._compileMaterial(this._blurMaterial)}fromScene(t,e=0,n=.1,s=100,r={}){const{size:o=256,position:a=D0}=r;pc=this._renderer.getRenderTarget(),mc=this._renderer.getActiveCubeFace(),gc=this._renderer.getActiveMipmapLevel(),_c=this._renderer.xr.enabled,this._renderer.xr.enabled=!1,this._setSize(o);const l=this._allocateTargets();return l.depthBuffer=!0,this._sceneToCubeUV(t,n,s,l,a),e>0&&this._blur(l,0,0,e),this._applyPMREM(l),this._cleanup(l),l}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Gu(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Vu(),this._compileMaterial(this._equirectMaterial))}dispose(){this._dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose()}_setSize(t){this._lodMax=Math.floor(Math.log2(t)),this._cubeSize=Math.pow(2,this._lodMax)}_dispose(){this._blurMaterial!==null&&this._blurMaterial.dispose(),this._pingPongRenderTarget!==null&&this._pingPongRenderTarget.dispose();for(let t=0;t<this._lodPlanes.length;t++)this._lodPlanes[t].dispose()}_cleanup(t){this._renderer.setRenderTarget(pc,mc,gc),this._renderer.xr.enabled=_c,t.scissorTest=!1,na(t,0,0,t.width,t.height)}_fromTexture(t,e){t.mapping===Gs||t.mapping===Ws?this._setSize(t.image.length===0?16:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4),pc=this._renderer.getRenderTarget(),mc=this._renderer.getActiveCubeFace(),gc=this._renderer.getActiveMipmapLevel(),_c=this._renderer.xr.enabled,this._renderer.xr.enabled=!1;const n=e||this._allocateTargets();return this._textureToCubeUV(t,n),this._applyPMREM(n),this._cleanup(n),n}_allocateTargets(){const t=3*Math.max(this._cubeSize,112),e=4*this._cubeSize,n={magFilter:pi,minFilter:pi,generateMipmaps:!1,type:Hr,format:ni,colorSpace:Xs,depthBuffer:!1},s=Hu(t,e,n);if(this._pingPongRenderTarget===null||this._pingPongRenderTarget.width!==t||this._pingPongRenderTarget.height!==e){this._pingPongRenderTarget!==null&&this._dispose(),this._pingPongRenderTarget=Hu(t,e,n);const{_lodMax:r}=this;({sizeLods:this._sizeLods,lodPlanes:this._lodPlanes,sigmas:this._sigmas}=L0(r)),this._blurMaterial=U0(r,t,e)}return s}_compileMaterial(t){const e=new Dn(this._lodPlanes[0],t);this._renderer.compile(e,dc)}_sceneToCubeUV(t,e,n,s,r){const l=new jn(90,1,e,n),c=[1,-1,1,1,1,1],u=[1,1,1,-1,-1,-1],h=this._renderer,f=h.autoClear,p=h.toneMapping;h.getClearColor(Bu),h.toneMapping=Vi,h.autoClear=!1,h.state.buffers.depth.getReversed()&&(h.setRenderTarget(s),h.clearDepth(),h.setRenderTarget(null));const x=new rr({name:"PMREM.Background",side:Cn,depthWrite:!1,depthTest:!1}),m=new Dn(new Jr,x);let d=!1;const T=t.background;T?T.isColor&&(x.color.copy(T),t.background=null,d=!0):(x.color.copy(Bu),d=!0);for(let w=0;w<6;w++){const S=w%3;S===0?(l.up.set(0,c[w],0),l.position.set(r.x,r.y,r.z),l.lookAt(r.x+u[w],r.y,r.z)):S===1?(l.up.set(0,0,c[w]),l.position.set(r.x,r.y,r.z),l.lookAt(r.x,r.y+u[w],r.z)):(l.up.set(0,c[w],0),l.position.set(r.x,r.y,r.z),l.lookAt(r.x,r.y,r.z+u[w]));const D=this._cubeSize;na(s,S*D,w>2?D:0,D,D),h.setRenderTarget(s),d&&h.render(m,l),h.render(t,l)}m.geometry.dispose(),m.material.dispose(),h.toneMapping=p,h.autoClear=f,t.background=T}_textureToCubeUV(t,e){const n=this._renderer,s=t.mapping===Gs||t.mapping===Ws;s?(this._cubemapMaterial===null&&(this._cubemapMaterial=Gu()),this._cubemapMaterial.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):this._equirectMaterial===null&&(this._equirectMaterial=Vu());const r=s?this._cubemapMaterial:this._equirectMaterial,o=new Dn(this._lodPlanes[0],r),a=r.uniforms;a.envMap.value=t;const l=this._cubeSize;na(e,0,0,3*l,2*l),n.setRenderTarget(e),n.render(o,dc)}_applyPMREM(t){const e=this._renderer,n=e.autoClear;e.autoClear=!1;const s=this._lodPlanes.length;for(let r=1;r<s;r++){const o=Math.sqrt(this._sigmas[r]*this._sigmas[r]-this._sigmas[r-1]*this._sigmas[r-1]),a=zu[(s-r-1)%zu.length];this._blur(t,r-1,r,o,a)}e.autoClear=n}_blur(t,e,n,s,r){const o=this._pingPongRenderTarget;this._halfBlur(t,o,e,n,s,"latitudinal",r),this._halfBlur(o,t,n,n,s,"longitudinal",r)}_halfBlur(t,e,n,s,r,o,a){const l=this._renderer,c=this._blurMaterial;o!=="latitudinal"&&o!=="longitudinal"&&console.error("blur direction must be either latitudinal or longitudinal!");const u=3,h=new Dn(this._lodPlanes[s],c),f=c.uniforms,p=this._sizeLods[n]-1,_=isFinite(r)?Math.PI/(2*p):2*Math.PI/(2*ys-1),x=r/_,m=isFinite(r)?1+Math.floor(u*x):ys;m>ys&&console.warn(`sigmaRadians, ${r}, is too large and will clip, as it requested ${m} samples when the maximum is set to ${ys}`);const d=[];let T=0;for(let U=0;U<ys;++U){const O=U/x,b=Math.exp(-O*O/2);d.push(b),U===0?T+=b:U<m&&(T+=2*b)}for(let U=0;U<d.length;U++)d[U]=d[U]/T;f.envMap.value=t.texture,f.samples.value=m,f.weights.value=d,f.latitudinal.value=o==="latitudinal",a&&(f.poleAxis.value=a);const{_lodMax:w}=this;f.dTheta.value=_,f.mipInt.value=w-n;const S=this._sizeLods[s],D=3*S*(s>w-dr?s-w+dr:0),A=4*(this._cubeSize-S);na(e,D,A,3*S,2*S),l.setRenderTarget(e),l.render(h,dc)}}function L0(i){const t=[],e=[],n=[];let s=i;const r=i-dr+1+Ou.length;for(let o=0;o<r;o++){const a=Math.pow(2,s);e.push(a);let l=1/a;o>i-dr?l=Ou[o-i+dr-1]:o===0&&(l=0),n.push(l);const c=1/(a-2),u=-c,h=1+c,f=[u,u,h,u,h,h,u,u,h,h,u,h],p=6,_=6,x=3,m=2,d=1,T=new Float32Array(x*_*p),w=new Float32Array(m*_*p),S=new Float32Array(d*_*p);for(let A=0;A<p;A++){const U=A%3*2/3-1,O=A>2?0:-1,b=[U,O,0,U+2/3,O,0,U+2/3,O+1,0,U,O,0,U+2/3,O+1,0,U,O+1,0];T.set(b,x*_*A),w.set(f,m*_*A);const E=[A,A,A,A,A,A];S.set(E,d*_*A)}const D=new Ye;D.setAttribute("position",new nn(T,x)),D.setAttribute("uv",new nn(w,m)),D.setAttribute("faceIndex",new nn(S,d)),t.push(D),s>dr&&s--}return{lodPlanes:t,sizeLods:e,sigmas:n}}function Hu(i,t,e){const n=new ps(i,t,e);return n.texture.mapping=So,n.texture.name="PMREM.cubeUv",n.scissorTest=!0,n}function na(i,t,e,n,s){i.viewport.set(t,e,n,s),i.scissor.set(t,e,n,s)}function U0(i,t,e){const n=new Float32Array(ys),s=new F(0,1,0);return new Ki({name:"SphericalGaussianBlur",defines:{n:ys,CUBEUV_TEXEL_WIDTH:1/t,CUBEUV_TEXEL_HEIGHT:1/e,CUBEUV_MAX_MIP:`${i}.0`},uniforms:{envMap:{value:null},samples:{value:1},weights:{value:n},latitudinal:{value:!1},dTheta:{value:0},mipInt:{value:0},poleAxis:{value:s}},vertexShader:vc(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;
			uniform int samples;
			uniform float weights[ n ];
			uniform bool latitudinal;
			uniform float dTheta;
			uniform float mipInt;
			uniform vec3 poleAxis;

			#define ENVMAP_TYPE_CUBE_UV
			#include <cube_uv_reflection_fragment>

			vec3 getSample( float theta, vec3 axis ) {

				float cosTheta = cos( theta );
				// Rodrigues' axis-angle rotation
				vec3 sampleDirection = vOutputDirection * cosTheta
					+ cross( axis, vOutputDirection ) * sin( theta )
					+ axis * dot( axis, vOutputDirection ) * ( 1.0 - cosTheta );

				return bilinearCubeUV( envMap, sampleDirection, mipInt );

			}

			void main() {

				vec3 axis = latitudinal ? poleAxis : cross( poleAxis, vOutputDirection );

				if ( all( equal( axis, vec3( 0.0 ) ) ) ) {

					axis = vec3( vOutputDirection.z, 0.0, - vOutputDirection.x );

				}

				axis = normalize( axis );

				gl_FragColor = vec4( 0.0, 0.0, 0.0, 1.0 );
				gl_FragColor.rgb += weights[ 0 ] * getSample( 0.0, axis );

				for ( int i = 1; i < n; i++ ) {

					if ( i >= samples ) {

						break;

					}

					float theta = dTheta * float( i );
					gl_FragColor.rgb += weights[ i ] * getSample( -1.0 * theta, axis );
					gl_FragColor.rgb += weights[ i ] * getSample( theta, axis );

				}

			}
		`,blending:Hi,depthTest:!1,depthWrite:!1})}function Vu(){return new Ki({name:"EquirectangularToCubeUV",uniforms:{envMap:{value:null}},vertexShader:vc(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;

			#include <common>

			void main() {

				vec3 outputDirection = normalize( vOutputDirection );
				vec2 uv = equirectUv( outputDirection );

				gl_FragColor = vec4( texture2D ( envMap, uv ).rgb, 1.0 );

			}
		`,blending:Hi,depthTest:!1,depthWrite:!1})}function Gu(){return new Ki({name:"CubemapToCubeUV",uniforms:{envMap:{value:null},flipEnvMap:{value:-1}},vertexShader:vc(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			uniform float flipEnvMap;

			varying vec3 vOutputDirection;

			uniform samplerCube envMap;

			void main() {

				gl_FragColor = textureCube( envMap, vec3( flipEnvMap * vOutputDirection.x, vOutputDirection.yz ) );

			}
		`,blending:Hi,depthTest:!1,depthWrite:!1})}function vc(){return`

		precision mediump float;
		precision mediump int;

		attribute float faceIndex;

		varying vec3 vOutputDirection;

		// RH coordinate system; PMREM face-indexing convention
		vec3 getDirection( vec2 uv, float face ) {

			uv = 2.0 * uv - 1.0;

			vec3 direction = vec3( uv, 1.0 );

			if ( face == 0.0 ) {

				direction = direction.zyx; // ( 1, v, u ) pos x

			} else if ( face == 1.0 ) {

				direction = direction.xzy;
				direction.xz *= -1.0; // ( -u, 1, -v ) pos y

			} else if ( face == 2.0 ) {

				direction.x *= -1.0; // ( -u, v, 1 ) pos z

			} else if ( face == 3.0 ) {

				direction = direction.zyx;
				direction.xz *= -1.0; // ( -1, v, -u ) neg x

			} else if ( face == 4.0 ) {

				direction = direction.xzy;
				direction.xy *= -1.0; // ( -u, -1, v ) neg y

			} else if ( face == 5.0 ) {

				direction.z *= -1.0; // ( u, v, -1 ) neg z

			}

			return direction;

		}

		void main() {

			vOutputDirection = getDirection( uv, faceIndex );
			gl_Position = vec4( position, 1.0 );

		}
	`}function I0(i){let t=new WeakMap,e=null;function n(a){if(a&&a.isTexture){const l=a.mapping,c=l===Ka||l===Za,u=l===Gs||l===Ws;if(c||u){let h=t.get(a);const f=h!==void 0?h.texture.pmremVersion:0;if(a.isRenderTargetTexture&&a.pmremVersion!==f)return e===null&&(e=new ku(i)),h=c?e.fromEquirectangular(a,h):e.fromCubemap(a,h),h.texture.pmremVersion=a.pmremVersion,t.set(a,h),h.texture;if(h!==void 0)return h.texture;{const p=a.image;return c&&p&&p.height>0||u&&p&&s(p)?(e===null&&(e=new ku(i)),h=c?e.fromEquirectangular(a):e.fromCubemap(a),h.texture.pmremVersion=a.pmremVersion,t.set(a,h),a.addEventListener("dispose",r),h.texture):null}}}return a}function s(a){let l=0;const c=6;for(let u=0;u<c;u++)a[u]!==void 0&&l++;return l===c}function r(a){const l=a.target;l.removeEventListener("dispose",r);const c=t.get(l);c!==void 0&&(t.delete(l),c.dispose())}function o(){t=new WeakMap,e!==null&&(e.dispose(),e=null)}return{get:n,dispose:o}}function N0(i){const t={};function e(n){if(t[n]!==void 0)return t[n];let s;switch(n){case"WEBGL_depth_texture":s=i.getExtension("WEBGL_depth_texture")||i.getExtension("MOZ_WEBGL_depth_texture")||i.getExtension("WEBKIT_WEBGL_depth_texture");break;case"EXT_texture_filter_anisotropic":s=i.getExtension("EXT_texture_filter_anisotropic")||i.getExtension("MOZ_EXT_texture_filter_anisotropic")||i.getExtension("WEBKIT_EXT_texture_filter_anisotropic");break;case"WEBGL_compressed_texture_s3tc":s=i.getExtension("WEBGL_compressed_texture_s3tc")||i.getExtension("MOZ_WEBGL_compressed_texture_s3tc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_s3tc");break;case"WEBGL_compressed_texture_pvrtc":s=i.getExtension("WEBGL_compressed_texture_pvrtc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_pvrtc");break;default:s=i.getExtension(n)}return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){const s=e(n);return s===null&&qr("THREE.WebGLRenderer: "+n+" extension not supported."),s}}}function F0(i,t,e,n){const s={},r=new WeakMap;function o(h){const f=h.target;f.index!==null&&t.remove(f.index);for(const _ in f.attributes)t.remove(f.attributes[_]);f.removeEventListener("dispose",o),delete s[f.id];const p=r.get(f);p&&(t.remove(p),r.delete(f)),n.releaseStatesOfGeometry(f),f.isInstancedBufferGeometry===!0&&delete f._maxInstanceCount,e.memory.geometries--}function a(h,f){return s[f.id]===!0||(f.addEventListener("dispose",o),s[f.id]=!0,e.memory.geometries++),f}function l(h){const f=h.attributes;for(const p in f)t.update(f[p],i.ARRAY_BUFFER)}function c(h){const f=[],p=h.index,_=h.attributes.position;let x=0;if(p!==null){const T=p.array;x=p.version;for(let w=0,S=T.length;w<S;w+=3){const D=T[w+0],A=T[w+1],U=T[w+2];f.push(D,A,A,U,U,D)}}else if(_!==void 0){const T=_.array;x=_.version;for(let w=0,S=T.length/3-1;w<S;w+=3){const D=w+0,A=w+1,U=w+2;f.push(D,A,A,U,U,D)}}else return;const m=new($h(f)?cu:lu)(f,1);m.version=x;const d=r.get(h);d&&t.remove(d),r.set(h,m)}function u(h){const f=r.get(h);if(f){const p=h.index;p!==null&&f.version<p.version&&c(h)}else c(h);return r.get(h)}return{get:a,update:l,getWireframeAttribute:u}}function O0(i,t,e){let n;function s(f){n=f}let r,o;function a(f){r=f.type,o=f.bytesPerElement}function l(f,p){i.drawElements(n,p,r,f*o),e.update(p,n,1)}function c(f,p,_){_!==0&&(i.drawElementsInstanced(n,p,r,f*o,_),e.update(p,n,_))}function u(f,p,_){if(_===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,p,0,r,f,0,_);let m=0;for(let d=0;d<_;d++)m+=p[d];e.update(m,n,1)}function h(f,p,_,x){if(_===0)return;const m=t.get("WEBGL_multi_draw");if(m===null)for(let d=0;d<f.length;d++)c(f[d]/o,p[d],x[d]);else{m.multiDrawElementsInstancedWEBGL(n,p,0,r,f,0,x,0,_);let d=0;for(let T=0;T<_;T++)d+=p[T]*x[T];e.update(d,n,1)}}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=u,this.renderMultiDrawInstances=h}function B0(i){const t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:console.error("THREE.WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function z0(i,t,e){const n=new WeakMap,s=new Ve;function r(o,a,l){const c=o.morphTargetInfluences,u=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,h=u!==void 0?u.length:0;let f=n.get(a);if(f===void 0||f.count!==h){let b=function(){U.dispose(),n.delete(a),a.removeEventListener("dispose",b)};f!==void 0&&f.texture.dispose();const p=a.morphAttributes.position!==void 0,_=a.morphAttributes.normal!==void 0,x=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],d=a.morphAttributes.normal||[],T=a.morphAttributes.color||[];let w=0;p===!0&&(w=1),_===!0&&(w=2),x===!0&&(w=3);let S=a.attributes.position.count*w,D=1;S>t.maxTextureSize&&(D=Math.ceil(S/t.maxTextureSize),S=t.maxTextureSize);const A=new Float32Array(S*D*4*h),U=new Jh(A,S,D,h);U.type=gi,U.needsUpdate=!0;const O=w*4;for(let E=0;E<h;E++){const C=m[E],H=d[E],B=T[E],W=S*D*4*E;for(let X=0;X<C.count;X++){const $=X*O;p===!0&&(s.fromBufferAttribute(C,X),A[W+$+0]=s.x,A[W+$+1]=s.y,A[W+$+2]=s.z,A[W+$+3]=0),_===!0&&(s.fromBufferAttribute(H,X),A[W+$+4]=s.x,A[W+$+5]=s.y,A[W+$+6]=s.z,A[W+$+7]=0),x===!0&&(s.fromBufferAttribute(B,X),A[W+$+8]=s.x,A[W+$+9]=s.y,A[W+$+10]=s.z,A[W+$+11]=B.itemSize===4?s.w:1)}}f={count:h,texture:U,size:new ee(S,D)},n.set(a,f),a.addEventListener("dispose",b)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let p=0;for(let x=0;x<c.length;x++)p+=c[x];const _=a.morphTargetsRelative?1:1-p;l.getUniforms().setValue(i,"morphTargetBaseInfluence",_),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",f.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",f.size)}return{update:r}}function k0(i,t,e,n){let s=new WeakMap;function r(l){const c=n.render.frame,u=l.geometry,h=t.get(l,u);if(s.get(h)!==c&&(t.update(h),s.set(h,c)),l.isInstancedMesh&&(l.hasEventListener("dispose",a)===!1&&l.addEventListener("dispose",a),s.get(l)!==c&&(e.update(l.instanceMatrix,i.ARRAY_BUFFER),l.instanceColor!==null&&e.update(l.instanceColor,i.ARRAY_BUFFER),s.set(l,c))),l.isSkinnedMesh){const f=l.skeleton;s.get(f)!==c&&(f.update(),s.set(f,c))}return h}function o(){s=new WeakMap}function a(l){const c=l.target;c.removeEventListener("dispose",a),e.remove(c.instanceMatrix),c.instanceColor!==null&&e.remove(c.instanceColor)}return{update:r,dispose:o}}const Wu=new xn,Xu=new wu(1,1),Yu=new Jh,qu=new Vm,$u=new _u,ju=[],Ku=[],Zu=new Float32Array(16),Ju=new Float32Array(9),Qu=new Float32Array(4);function mr(i,t,e){const n=i[0];if(n<=0||n>0)return i;const s=t*e;let r=ju[s];if(r===void 0&&(r=new Float32Array(s),ju[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function je(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function Ke(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function ia(i,t){let e=Ku[t];e===void 0&&(e=new Int32Array(t),Ku[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function H0(i,t){const e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function V0(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(je(e,t))return;i.uniform2fv(this.addr,t),Ke(e,t)}}function G0(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(je(e,t))return;i.uniform3fv(this.addr,t),Ke(e,t)}}function W0(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(je(e,t))return;i.uniform4fv(this.addr,t),Ke(e,t)}}function X0(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(je(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),Ke(e,t)}else{if(je(e,n))return;Qu.set(n),i.uniformMatrix2fv(this.addr,!1,Qu),Ke(e,n)}}function Y0(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(je(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),Ke(e,t)}else{if(je(e,n))return;Ju.set(n),i.uniformMatrix3fv(this.addr,!1,Ju),Ke(e,n)}}function q0(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(je(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),Ke(e,t)}else{if(je(e,n))return;Zu.set(n),i.uniformMatrix4fv(this.addr,!1,Zu),Ke(e,n)}}function $0(i,t){const e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function j0(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(je(e,t))return;i.uniform2iv(this.addr,t),Ke(e,t)}}function K0(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(je(e,t))return;i.uniform3iv(this.addr,t),Ke(e,t)}}function Z0(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(je(e,t))return;i.uniform4iv(this.addr,t),Ke(e,t)}}function J0(i,t){const e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function Q0(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(je(e,t))return;i.uniform2uiv(this.addr,t),Ke(e,t)}}function tv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(je(e,t))return;i.uniform3uiv(this.addr,t),Ke(e,t)}}function ev(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(je(e,t))return;i.uniform4uiv(this.addr,t),Ke(e,t)}}function nv(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?(Xu.compareFunction=Wh,r=Xu):r=Wu,e.setTexture2D(t||r,s)}function iv(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||qu,s)}function sv(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTextureCube(t||$u,s)}function rv(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||Yu,s)}function ov(i){switch(i){case 5126:return H0;case 35664:return V0;case 35665:return G0;case 35666:return W0;case 35674:return X0;case 35675:return Y0;case 35676:return q0;case 5124:case 35670:return $0;case 35667:case 35671:return j0;case 35668:case 35672:return K0;case 35669:case 35673:return Z0;case 5125:return J0;case 36294:return Q0;case 36295:return tv;case 36296:return ev;case 35678:case 36198:case 36298:case 36306:case 35682:return nv;case 35679:case 36299:case 36307:return iv;case 35680:case 36300:case 36308:case 36293:return sv;case 36289:case 36303:case 36311:case 36292:return rv}}function av(i,t){i.uniform1fv(this.addr,t)}function lv(i,t){const e=mr(t,this.size,2);i.uniform2fv(this.addr,e)}function cv(i,t){const e=mr(t,this.size,3);i.uniform3fv(this.addr,e)}function hv(i,t){const e=mr(t,this.size,4);i.uniform4fv(this.addr,e)}function uv(i,t){const e=mr(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function fv(i,t){const e=mr(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function dv(i,t){const e=mr(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function pv(i,t){i.uniform1iv(this.addr,t)}function mv(i,t){i.uniform2iv(this.addr,t)}function gv(i,t){i.uniform3iv(this.addr,t)}function _v(i,t){i.uniform4iv(this.addr,t)}function vv(i,t){i.uniform1uiv(this.addr,t)}function xv(i,t){i.uniform2uiv(this.addr,t)}function Mv(i,t){i.uniform3uiv(this.addr,t)}function Sv(i,t){i.uniform4uiv(this.addr,t)}function yv(i,t,e){const n=this.cache,s=t.length,r=ia(e,s);je(n,r)||(i.uniform1iv(this.addr,r),Ke(n,r));for(let o=0;o!==s;++o)e.setTexture2D(t[o]||Wu,r[o])}function Ev(i,t,e){const n=this.cache,s=t.length,r=ia(e,s);je(n,r)||(i.uniform1iv(this.addr,r),Ke(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||qu,r[o])}function bv(i,t,e){const n=this.cache,s=t.length,r=ia(e,s);je(n,r)||(i.uniform1iv(this.addr,r),Ke(n,r));for(let o=0;o!==s;++o)e.setTextureCube(t[o]||$u,r[o])}function Tv(i,t,e){const n=this.cache,s=t.length,r=ia(e,s);je(n,r)||(i.uniform1iv(this.addr,r),Ke(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||Yu,r[o])}function wv(i){switch(i){case 5126:return av;case 35664:return lv;case 35665:return cv;case 35666:return hv;case 35674:return uv;case 35675:return fv;case 35676:return dv;case 5124:case 35670:return pv;case 35667:case 35671:return mv;case 35668:case 35672:return gv;case 35669:case 35673:return _v;case 5125:return vv;case 36294:return xv;case 36295:return Mv;case 36296:return Sv;case 35678:case 36198:case 36298:case 36306:case 35682:return yv;case 35679:case 36299:case 36307:return Ev;case 35680:case 36300:case 36308:case 36293:return bv;case 36289:case 36303:case 36311:case 36292:return Tv}}class Av{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=ov(e.type)}}class Rv{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=wv(e.type)}}class Cv{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){const s=this.seq;for(let r=0,o=s.length;r!==o;++r){const a=s[r];a.setValue(t,e[a.id],n)}}}const xc=/(\w+)(\])?(\[|\.)?/g;function tf(i,t){i.seq.push(t),i.map[t.id]=t}function Pv(i,t,e){const n=i.name,s=n.length;for(xc.lastIndex=0;;){const r=xc.exec(n),o=xc.lastIndex;let a=r[1];const l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){tf(e,c===void 0?new Av(a,i,t):new Rv(a,i,t));break}else{let h=e.map[a];h===void 0&&(h=new Cv(a),tf(e,h)),e=h}}}class sa{constructor(t,e){this.seq=[],this.map={};const n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let s=0;s<n;++s){const r=t.getActiveUniform(e,s),o=t.getUniformLocation(e,r.name);Pv(r,o,this)}}setValue(t,e,n,s){const r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){const s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){const a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){const n=[];for(let s=0,r=t.length;s!==r;++s){const o=t[s];o.id in e&&n.push(o)}return n}}function ef(i,t,e){const n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}const Dv=37297;let Lv=0;function Uv(i,t){const e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){const a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}const nf=new se;function Iv(i){fe._getMatrix(nf,fe.workingColorSpace,i);const t=`mat3( ${nf.elements.map(e=>e.toFixed(4))} )`;switch(fe.getTransfer(i)){case Ao:return[t,"LinearTransferOETF"];case be:return[t,"sRGBTransferOETF"];default:return console.warn("THREE.WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function sf(i,t,e){const n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";const o=/ERROR: 0:(\d+)/.exec(r);if(o){const a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+Uv(i.getShaderSource(t),a)}else return r}function Nv(i,t){const e=Iv(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( value.rgb * ${e[0]}, value.a ) );`,"}"].join(`
`)}function Fv(i,t){let e;switch(t){case pm:e="Linear";break;case mm:e="Reinhard";break;case gm:e="Cineon";break;case _m:e="ACESFilmic";break;case xm:e="AgX";break;case Mm:e="Neutral";break;case vm:e="Custom";break;default:console.warn("THREE.WebGLProgram: Unsupported toneMapping:",t),e="Linear"}return"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}const ra=new F;function Ov(){fe.getLuminanceCoefficients(ra);const i=ra.x.toFixed(4),t=ra.y.toFixed(4),e=ra.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function Bv(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(io).join(`
`)}function zv(i){const t=[];for(const e in i){const n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function kv(i,t){const e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){const r=i.getActiveAttrib(t,s),o=r.name;let a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function io(i){return i!==""}function rf(i,t){const e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows)}function of(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}const Hv=/^[ \t]*#include +<([\w\d./]+)>/gm;function Mc(i){return i.replace(Hv,Gv)}const Vv=new Map;function Gv(i,t){let e=re[t];if(e===void 0){const n=Vv.get(t);if(n!==void 0)e=re[n],console.warn('THREE.WebGLRenderer: Shader chunk "%s" has been deprecated. Use "%s" instead.',t,n);else throw new Error("Can not resolve #include <"+t+">")}return Mc(e)}const Wv=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function af(i){return i.replace(Wv,Xv)}function Xv(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function lf(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}function Yv(i){let t="SHADOWMAP_TYPE_BASIC";return i.shadowMapType===Ph?t="SHADOWMAP_TYPE_PCF":i.shadowMapType===qp?t="SHADOWMAP_TYPE_PCF_SOFT":i.shadowMapType===Ci&&(t="SHADOWMAP_TYPE_VSM"),t}function qv(i){let t="ENVMAP_TYPE_CUBE";if(i.envMap)switch(i.envMapMode){case Gs:case Ws:t="ENVMAP_TYPE_CUBE";break;case So:t="ENVMAP_TYPE_CUBE_UV";break}return t}function $v(i){let t="ENVMAP_MODE_REFLECTION";if(i.envMap)switch(i.envMapMode){case Ws:t="ENVMAP_MODE_REFRACTION";break}return t}function jv(i){let t="ENVMAP_BLENDING_NONE";if(i.envMap)switch(i.combine){case ja:t="ENVMAP_BLENDING_MULTIPLY";break;case fm:t="ENVMAP_BLENDING_MIX";break;case dm:t="ENVMAP_BLENDING_ADD";break}return t}function Kv(i){const t=i.envMapCubeUVHeight;if(t===null)return null;const e=Math.log2(t)-2,n=1/t;return{texelWidth:1/(3*Math.max(Math.pow(2,e),112)),texelHeight:n,maxMip:e}}function Zv(i,t,e,n){const s=i.getContext(),r=e.defines;let o=e.vertexShader,a=e.fragmentShader;const l=Yv(e),c=qv(e),u=$v(e),h=jv(e),f=Kv(e),p=Bv(e),_=zv(r),x=s.createProgram();let m,d,T=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_].filter(io).join(`
`),m.length>0&&(m+=`
`),d=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_].filter(io).join(`
`),d.length>0&&(d+=`
`)):(m=[lf(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+u:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(io).join(`
`),d=[lf(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+u:"",e.envMap?"#define "+h:"",f?"#define CUBEUV_TEXEL_WIDTH "+f.texelWidth:"",f?"#define CUBEUV_TEXEL_HEIGHT "+f.texelHeight:"",f?"#define CUBEUV_MAX_MIP "+f.maxMip+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor||e.batchingColor?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==Vi?"#define TONE_MAPPING":"",e.toneMapping!==Vi?re.tonemapping_pars_fragment:"",e.toneMapping!==Vi?Fv("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",re.colorspace_pars_fragment,Nv("linearToOutputTexel",e.outputColorSpace),Ov(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(io).join(`
`)),o=Mc(o),o=rf(o,e),o=of(o,e),a=Mc(a),a=rf(a,e),a=of(a,e),o=af(o),a=af(a),e.isRawShaderMaterial!==!0&&(T=`#version 300 es
`,m=[p,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+m,d=["#define varying in",e.glslVersion===Yh?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===Yh?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+d);const w=T+m+o,S=T+d+a,D=ef(s,s.VERTEX_SHADER,w),A=ef(s,s.FRAGMENT_SHADER,S);s.attachShader(x,D),s.attachShader(x,A),e.index0AttributeName!==void 0?s.bindAttribLocation(x,0,e.index0AttributeName):e.morphTargets===!0&&s.bindAttribLocation(x,0,"position"),s.linkProgram(x);function U(C){if(i.debug.checkShaderErrors){const H=s.getProgramInfoLog(x)||"",B=s.getShaderInfoLog(D)||"",W=s.getShaderInfoLog(A)||"",X=H.trim(),$=B.trim(),Q=W.trim();let J=!0,at=!0;if(s.getProgramParameter(x,s.LINK_STATUS)===!1)if(J=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,x,D,A);else{const lt=sf(s,D,"vertex"),vt=sf(s,A,"fragment");console.error("THREE.WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(x,s.VALIDATE_STATUS)+`

Material Name: `+C.name+`
Material Type: `+C.type+`

Program Info Log: `+X+`
`+lt+`
`+vt)}else X!==""?console.warn("THREE.WebGLProgram: Program Info Log:",X):($===""||Q==="")&&(at=!1);at&&(C.diagnostics={runnable:J,programLog:X,vertexShader:{log:$,prefix:m},fragmentShader:{log:Q,prefix:d}})}s.deleteShader(D),s.deleteShader(A),O=new sa(s,x),b=kv(s,x)}let O;this.getUniforms=function(){return O===void 0&&U(this),O};let b;this.getAttributes=function(){return b===void 0&&U(this),b};let E=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return E===!1&&(E=s.getProgramParameter(x,Dv)),E},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(x),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=Lv++,this.cacheKey=t,this.usedTimes=1,this.program=x,this.vertexShader=D,this.fragmentShader=A,this}let Jv=0;class Qv{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t){const e=t.vertexShader,n=t.fragmentShader,s=this._getShaderStage(e),r=this._getShaderStage(n),o=this._getShaderCacheForMaterial(t);return o.has(s)===!1&&(o.add(s),s.usedTimes++),o.has(r)===!1&&(o.add(r),r.usedTimes++),this}remove(t){const e=this.materialCache.get(t);for(const n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderID(t){return this._getShaderStage(t.vertexShader).id}getFragmentShaderID(t){return this._getShaderStage(t.fragmentShader).id}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){const e=this.materialCache;let n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){const e=this.shaderCache;let n=e.get(t);return n===void 0&&(n=new tx(t),e.set(t,n)),n}}class tx{constructor(t){this.id=Jv++,this.code=t,this.usedTimes=0}}function ex(i,t,e,n,s,r,o){const a=new $l,l=new Qv,c=new Set,u=[],h=s.logarithmicDepthBuffer,f=s.vertexTextures;let p=s.precision;const _={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distanceRGBA",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function x(b){return c.add(b),b===0?"uv":`uv${b}`}function m(b,E,C,H,B){const W=H.fog,X=B.geometry,$=b.isMeshStandardMaterial?H.environment:null,Q=(b.isMeshStandardMaterial?e:t).get(b.envMap||$),J=Q&&Q.mapping===So?Q.image.height:null,at=_[b.type];b.precision!==null&&(p=s.getMaxPrecision(b.precision),p!==b.precision&&console.warn("THREE.WebGLProgram.getParameters:",b.precision,"not supported, using",p,"instead."));const lt=X.morphAttributes.position||X.morphAttributes.normal||X.morphAttributes.color,vt=lt!==void 0?lt.length:0;let St=0;X.morphAttributes.position!==void 0&&(St=1),X.morphAttributes.normal!==void 0&&(St=2),X.morphAttributes.color!==void 0&&(St=3);let _t,ne,Zt,tt;if(at){const pe=xi[at];_t=pe.vertexShader,ne=pe.fragmentShader}else _t=b.vertexShader,ne=b.fragmentShader,l.update(b),Zt=l.getVertexShaderID(b),tt=l.getFragmentShaderID(b);const nt=i.getRenderTarget(),bt=i.state.buffers.depth.getReversed(),zt=B.isInstancedMesh===!0,xt=B.isBatchedMesh===!0,Jt=!!b.map,De=!!b.matcap,I=!!Q,ue=!!b.aoMap,qt=!!b.lightMap,Gt=!!b.bumpMap,It=!!b.normalMap,ye=!!b.displacementMap,Ct=!!b.emissiveMap,Vt=!!b.metalnessMap,Fe=!!b.roughnessMap,ve=b.anisotropy>0,P=b.clearcoat>0,v=b.dispersion>0,N=b.iridescence>0,K=b.sheen>0,it=b.transmission>0,et=ve&&!!b.anisotropyMap,Nt=P&&!!b.clearcoatMap,ut=P&&!!b.clearcoatNormalMap,Dt=P&&!!b.clearcoatRoughnessMap,At=N&&!!b.iridescenceMap,ot=N&&!!b.iridescenceThicknessMap,gt=K&&!!b.sheenColorMap,Bt=K&&!!b.sheenRoughnessMap,Ot=!!b.specularMap,Mt=!!b.specularColorMap,jt=!!b.specularIntensityMap,z=it&&!!b.transmissionMap,ft=it&&!!b.thicknessMap,pt=!!b.gradientMap,Pt=!!b.alphaMap,ht=b.alphaTest>0,rt=!!b.alphaHash,Ft=!!b.extensions;let Qt=Vi;b.toneMapped&&(nt===null||nt.isXRRenderTarget===!0)&&(Qt=i.toneMapping);const we={shaderID:at,shaderType:b.type,shaderName:b.name,vertexShader:_t,fragmentShader:ne,defines:b.defines,customVertexShaderID:Zt,customFragmentShaderID:tt,isRawShaderMaterial:b.isRawShaderMaterial===!0,glslVersion:b.glslVersion,precision:p,batching:xt,batchingColor:xt&&B._colorsTexture!==null,instancing:zt,instancingColor:zt&&B.instanceColor!==null,instancingMorph:zt&&B.morphTexture!==null,supportsVertexTextures:f,outputColorSpace:nt===null?i.outputColorSpace:nt.isXRRenderTarget===!0?nt.texture.colorSpace:Xs,alphaToCoverage:!!b.alphaToCoverage,map:Jt,matcap:De,envMap:I,envMapMode:I&&Q.mapping,envMapCubeUVHeight:J,aoMap:ue,lightMap:qt,bumpMap:Gt,normalMap:It,displacementMap:f&&ye,emissiveMap:Ct,normalMapObjectSpace:It&&b.normalMapType===bm,normalMapTangentSpace:It&&b.normalMapType===Vh,metalnessMap:Vt,roughnessMap:Fe,anisotropy:ve,anisotropyMap:et,clearcoat:P,clearcoatMap:Nt,clearcoatNormalMap:ut,clearcoatRoughnessMap:Dt,dispersion:v,iridescence:N,iridescenceMap:At,iridescenceThicknessMap:ot,sheen:K,sheenColorMap:gt,sheenRoughnessMap:Bt,specularMap:Ot,specularColorMap:Mt,specularIntensityMap:jt,transmission:it,transmissionMap:z,thicknessMap:ft,gradientMap:pt,opaque:b.transparent===!1&&b.blending===Hs&&b.alphaToCoverage===!1,alphaMap:Pt,alphaTest:ht,alphaHash:rt,combine:b.combine,mapUv:Jt&&x(b.map.channel),aoMapUv:ue&&x(b.aoMap.channel),lightMapUv:qt&&x(b.lightMap.channel),bumpMapUv:Gt&&x(b.bumpMap.channel),normalMapUv:It&&x(b.normalMap.channel),displacementMapUv:ye&&x(b.displacementMap.channel),emissiveMapUv:Ct&&x(b.emissiveMap.channel),metalnessMapUv:Vt&&x(b.metalnessMap.channel),roughnessMapUv:Fe&&x(b.roughnessMap.channel),anisotropyMapUv:et&&x(b.anisotropyMap.channel),clearcoatMapUv:Nt&&x(b.clearcoatMap.channel),clearcoatNormalMapUv:ut&&x(b.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:Dt&&x(b.clearcoatRoughnessMap.channel),iridescenceMapUv:At&&x(b.iridescenceMap.channel),iridescenceThicknessMapUv:ot&&x(b.iridescenceThicknessMap.channel),sheenColorMapUv:gt&&x(b.sheenColorMap.channel),sheenRoughnessMapUv:Bt&&x(b.sheenRoughnessMap.channel),specularMapUv:Ot&&x(b.specularMap.channel),specularColorMapUv:Mt&&x(b.specularColorMap.channel),specularIntensityMapUv:jt&&x(b.specularIntensityMap.channel),transmissionMapUv:z&&x(b.transmissionMap.channel),thicknessMapUv:ft&&x(b.thicknessMap.channel),alphaMapUv:Pt&&x(b.alphaMap.channel),vertexTangents:!!X.attributes.tangent&&(It||ve),vertexColors:b.vertexColors,vertexAlphas:b.vertexColors===!0&&!!X.attributes.color&&X.attributes.color.itemSize===4,pointsUvs:B.isPoints===!0&&!!X.attributes.uv&&(Jt||Pt),fog:!!W,useFog:b.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:b.flatShading===!0&&b.wireframe===!1,sizeAttenuation:b.sizeAttenuation===!0,logarithmicDepthBuffer:h,reversedDepthBuffer:bt,skinning:B.isSkinnedMesh===!0,morphTargets:X.morphAttributes.position!==void 0,morphNormals:X.morphAttributes.normal!==void 0,morphColors:X.morphAttributes.color!==void 0,morphTargetsCount:vt,morphTextureStride:St,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numClippingPlanes:o.numPlanes,numClipIntersection:o.numIntersection,dithering:b.dithering,shadowMapEnabled:i.shadowMap.enabled&&C.length>0,shadowMapType:i.shadowMap.type,toneMapping:Qt,decodeVideoTexture:Jt&&b.map.isVideoTexture===!0&&fe.getTransfer(b.map.colorSpace)===be,decodeVideoTextureEmissive:Ct&&b.emissiveMap.isVideoTexture===!0&&fe.getTransfer(b.emissiveMap.colorSpace)===be,premultipliedAlpha:b.premultipliedAlpha,doubleSided:b.side===Nn,flipSided:b.side===Cn,useDepthPacking:b.depthPacking>=0,depthPacking:b.depthPacking||0,index0AttributeName:b.index0AttributeName,extensionClipCullDistance:Ft&&b.extensions.clipCullDistance===!0&&n.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Ft&&b.extensions.multiDraw===!0||xt)&&n.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:n.has("KHR_parallel_shader_compile"),customProgramCacheKey:b.customProgramCacheKey()};return we.vertexUv1s=c.has(1),we.vertexUv2s=c.has(2),we.vertexUv3s=c.has(3),c.clear(),we}function d(b){const E=[];if(b.shaderID?E.push(b.shaderID):(E.push(b.customVertexShaderID),E.push(b.customFragmentShaderID)),b.defines!==void 0)for(const C in b.defines)E.push(C),E.push(b.defines[C]);return b.isRawShaderMaterial===!1&&(T(E,b),w(E,b),E.push(i.outputColorSpace)),E.push(b.customProgramCacheKey),E.join()}function T(b,E){b.push(E.precision),b.push(E.outputColorSpace),b.push(E.envMapMode),b.push(E.envMapCubeUVHeight),b.push(E.mapUv),b.push(E.alphaMapUv),b.push(E.lightMapUv),b.push(E.aoMapUv),b.push(E.bumpMapUv),b.push(E.normalMapUv),b.push(E.displacementMapUv),b.push(E.emissiveMapUv),b.push(E.metalnessMapUv),b.push(E.roughnessMapUv),b.push(E.anisotropyMapUv),b.push(E.clearcoatMapUv),b.push(E.clearcoatNormalMapUv),b.push(E.clearcoatRoughnessMapUv),b.push(E.iridescenceMapUv),b.push(E.iridescenceThicknessMapUv),b.push(E.sheenColorMapUv),b.push(E.sheenRoughnessMapUv),b.push(E.specularMapUv),b.push(E.specularColorMapUv),b.push(E.specularIntensityMapUv),b.push(E.transmissionMapUv),b.push(E.thicknessMapUv),b.push(E.combine),b.push(E.fogExp2),b.push(E.sizeAttenuation),b.push(E.morphTargetsCount),b.push(E.morphAttributeCount),b.push(E.numDirLights),b.push(E.numPointLights),b.push(E.numSpotLights),b.push(E.numSpotLightMaps),b.push(E.numHemiLights),b.push(E.numRectAreaLights),b.push(E.numDirLightShadows),b.push(E.numPointLightShadows),b.push(E.numSpotLightShadows),b.push(E.numSpotLightShadowsWithMaps),b.push(E.numLightProbes),b.push(E.shadowMapType),b.push(E.toneMapping),b.push(E.numClippingPlanes),b.push(E.numClipIntersection),b.push(E.depthPacking)}function w(b,E){a.disableAll(),E.supportsVertexTextures&&a.enable(0),E.instancing&&a.enable(1),E.instancingColor&&a.enable(2),E.instancingMorph&&a.enable(3),E.matcap&&a.enable(4),E.envMap&&a.enable(5),E.normalMapObjectSpace&&a.enable(6),E.normalMapTangentSpace&&a.enable(7),E.clearcoat&&a.enable(8),E.iridescence&&a.enable(9),E.alphaTest&&a.enable(10),E.vertexColors&&a.enable(11),E.vertexAlphas&&a.enable(12),E.vertexUv1s&&a.enable(13),E.vertexUv2s&&a.enable(14),E.vertexUv3s&&a.enable(15),E.vertexTangents&&a.enable(16),E.anisotropy&&a.enable(17),E.alphaHash&&a.enable(18),E.batching&&a.enable(19),E.dispersion&&a.enable(20),E.batchingColor&&a.enable(21),E.gradientMap&&a.enable(22),b.push(a.mask),a.disableAll(),E.fog&&a.enable(0),E.useFog&&a.enable(1),E.flatShading&&a.enable(2),E.logarithmicDepthBuffer&&a.enable(3),E.reversedDepthBuffer&&a.enable(4),E.skinning&&a.enable(5),E.morphTargets&&a.enable(6),E.morphNormals&&a.enable(7),E.morphColors&&a.enable(8),E.premultipliedAlpha&&a.enable(9),E.shadowMapEnabled&&a.enable(10),E.doubleSided&&a.enable(11),E.flipSided&&a.enable(12),E.useDepthPacking&&a.enable(13),E.dithering&&a.enable(14),E.transmission&&a.enable(15),E.sheen&&a.enable(16),E.opaque&&a.enable(17),E.pointsUvs&&a.enable(18),E.decodeVideoTexture&&a.enable(19),E.decodeVideoTextureEmissive&&a.enable(20),E.alphaToCoverage&&a.enable(21),b.push(a.mask)}function S(b){const E=_[b.type];let C;if(E){const H=xi[E];C=eg.clone(H.uniforms)}else C=b.uniforms;return C}function D(b,E){let C;for(let H=0,B=u.length;H<B;H++){const W=u[H];if(W.cacheKey===E){C=W,++C.usedTimes;break}}return C===void 0&&(C=new Zv(i,E,b,r),u.push(C)),C}function A(b){if(--b.usedTimes===0){const E=u.indexOf(b);u[E]=u[u.length-1],u.pop(),b.destroy()}}function U(b){l.remove(b)}function O(){l.dispose()}return{getParameters:m,getProgramCacheKey:d,getUniforms:S,acquireProgram:D,releaseProgram:A,releaseShaderCache:U,programs:u,dispose:O}}function nx(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function ix(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.z!==t.z?i.z-t.z:i.id-t.id}function cf(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function hf(){const i=[];let t=0;const e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(h,f,p,_,x,m){let d=i[t];return d===void 0?(d={id:h.id,object:h,geometry:f,material:p,groupOrder:_,renderOrder:h.renderOrder,z:x,group:m},i[t]=d):(d.id=h.id,d.object=h,d.geometry=f,d.material=p,d.groupOrder=_,d.renderOrder=h.renderOrder,d.z=x,d.group=m),t++,d}function a(h,f,p,_,x,m){const d=o(h,f,p,_,x,m);p.transmission>0?n.push(d):p.transparent===!0?s.push(d):e.push(d)}function l(h,f,p,_,x,m){const d=o(h,f,p,_,x,m);p.transmission>0?n.unshift(d):p.transparent===!0?s.unshift(d):e.unshift(d)}function c(h,f){e.length>1&&e.sort(h||ix),n.length>1&&n.sort(f||cf),s.length>1&&s.sort(f||cf)}function u(){for(let h=t,f=i.length;h<f;h++){const p=i[h];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:a,unshift:l,finish:u,sort:c}}function sx(){let i=new WeakMap;function t(n,s){const r=i.get(n);let o;return r===void 0?(o=new hf,i.set(n,[o])):s>=r.length?(o=new hf,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function rx(){const i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={direction:new F,color:new Kt};break;case"SpotLight":e={position:new F,direction:new F,color:new Kt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new F,color:new Kt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new F,skyColor:new Kt,groundColor:new Kt};break;case"RectAreaLight":e={color:new Kt,position:new F,halfWidth:new F,halfHeight:new F};break}return i[t.id]=e,e}}}function ox(){const i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ee};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ee};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ee,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}let ax=0;function lx(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function cx(i){const t=new rx,e=ox(),n={version:0,hash:{directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new F);const s=new F,r=new Se,o=new Se;function a(c){let u=0,h=0,f=0;for(let b=0;b<9;b++)n.probe[b].set(0,0,0);let p=0,_=0,x=0,m=0,d=0,T=0,w=0,S=0,D=0,A=0,U=0;c.sort(lx);for(let b=0,E=c.length;b<E;b++){const C=c[b],H=C.color,B=C.intensity,W=C.distance,X=C.shadow&&C.shadow.map?C.shadow.map.texture:null;if(C.isAmbientLight)u+=H.r*B,h+=H.g*B,f+=H.b*B;else if(C.isLightProbe){for(let $=0;$<9;$++)n.probe[$].addScaledVector(C.sh.coefficients[$],B);U++}else if(C.isDirectionalLight){const $=t.get(C);if($.color.copy(C.color).multiplyScalar(C.intensity),C.castShadow){const Q=C.shadow,J=e.get(C);J.shadowIntensity=Q.intensity,J.shadowBias=Q.bias,J.shadowNormalBias=Q.normalBias,J.shadowRadius=Q.radius,J.shadowMapSize=Q.mapSize,n.directionalShadow[p]=J,n.directionalShadowMap[p]=X,n.directionalShadowMatrix[p]=C.shadow.matrix,T++}n.directional[p]=$,p++}else if(C.isSpotLight){const $=t.get(C);$.position.setFromMatrixPosition(C.matrixWorld),$.color.copy(H).multiplyScalar(B),$.distance=W,$.coneCos=Math.cos(C.angle),$.penumbraCos=Math.cos(C.angle*(1-C.penumbra)),$.decay=C.decay,n.spot[x]=$;const Q=C.shadow;if(C.map&&(n.spotLightMap[D]=C.map,D++,Q.updateMatrices(C),C.castShadow&&A++),n.spotLightMatrix[x]=Q.matrix,C.castShadow){const J=e.get(C);J.shadowIntensity=Q.intensity,J.shadowBias=Q.bias,J.shadowNormalBias=Q.normalBias,J.shadowRadius=Q.radius,J.shadowMapSize=Q.mapSize,n.spotShadow[x]=J,n.spotShadowMap[x]=X,S++}x++}else if(C.isRectAreaLight){const $=t.get(C);$.color.copy(H).multiplyScalar(B),$.halfWidth.set(C.width*.5,0,0),$.halfHeight.set(0,C.height*.5,0),n.rectArea[m]=$,m++}else if(C.isPointLight){const $=t.get(C);if($.color.copy(C.color).multiplyScalar(C.intensity),$.distance=C.distance,$.decay=C.decay,C.castShadow){const Q=C.shadow,J=e.get(C);J.shadowIntensity=Q.intensity,J.shadowBias=Q.bias,J.shadowNormalBias=Q.normalBias,J.shadowRadius=Q.radius,J.shadowMapSize=Q.mapSize,J.shadowCameraNear=Q.camera.near,J.shadowCameraFar=Q.camera.far,n.pointShadow[_]=J,n.pointShadowMap[_]=X,n.pointShadowMatrix[_]=C.shadow.matrix,w++}n.point[_]=$,_++}else if(C.isHemisphereLight){const $=t.get(C);$.skyColor.copy(C.color).multiplyScalar(B),$.groundColor.copy(C.groundColor).multiplyScalar(B),n.hemi[d]=$,d++}}m>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Et.LTC_FLOAT_1,n.rectAreaLTC2=Et.LTC_FLOAT_2):(n.rectAreaLTC1=Et.LTC_HALF_1,n.rectAreaLTC2=Et.LTC_HALF_2)),n.ambient[0]=u,n.ambient[1]=h,n.ambient[2]=f;const O=n.hash;(O.directionalLength!==p||O.pointLength!==_||O.spotLength!==x||O.rectAreaLength!==m||O.hemiLength!==d||O.numDirectionalShadows!==T||O.numPointShadows!==w||O.numSpotShadows!==S||O.numSpotMaps!==D||O.numLightProbes!==U)&&(n.directional.length=p,n.spot.length=x,n.rectArea.length=m,n.point.length=_,n.hemi.length=d,n.directionalShadow.length=T,n.directionalShadowMap.length=T,n.pointShadow.length=w,n.pointShadowMap.length=w,n.spotShadow.length=S,n.spotShadowMap.length=S,n.directionalShadowMatrix.length=T,n.pointShadowMatrix.length=w,n.spotLightMatrix.length=S+D-A,n.spotLightMap.length=D,n.numSpotLightShadowsWithMaps=A,n.numLightProbes=U,O.directionalLength=p,O.pointLength=_,O.spotLength=x,O.rectAreaLength=m,O.hemiLength=d,O.numDirectionalShadows=T,O.numPointShadows=w,O.numSpotShadows=S,O.numSpotMaps=D,O.numLightProbes=U,n.version=ax++)}function l(c,u){let h=0,f=0,p=0,_=0,x=0;const m=u.matrixWorldInverse;for(let d=0,T=c.length;d<T;d++){const w=c[d];if(w.isDirectionalLight){const S=n.directional[h];S.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),h++}else if(w.isSpotLight){const S=n.spot[p];S.position.setFromMatrixPosition(w.matrixWorld),S.position.applyMatrix4(m),S.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),p++}else if(w.isRectAreaLight){const S=n.rectArea[_];S.position.setFromMatrixPosition(w.matrixWorld),S.position.applyMatrix4(m),o.identity(),r.copy(w.matrixWorld),r.premultiply(m),o.extractRotation(r),S.halfWidth.set(w.width*.5,0,0),S.halfHeight.set(0,w.height*.5,0),S.halfWidth.applyMatrix4(o),S.halfHeight.applyMatrix4(o),_++}else if(w.isPointLight){const S=n.point[f];S.position.setFromMatrixPosition(w.matrixWorld),S.position.applyMatrix4(m),f++}else if(w.isHemisphereLight){const S=n.hemi[x];S.direction.setFromMatrixPosition(w.matrixWorld),S.direction.transformDirection(m),x++}}}return{setup:a,setupView:l,state:n}}function uf(i){const t=new cx(i),e=[],n=[];function s(u){c.camera=u,e.length=0,n.length=0}function r(u){e.push(u)}function o(u){n.push(u)}function a(){t.setup(e)}function l(u){t.setupView(e,u)}const c={lightsArray:e,shadowsArray:n,camera:null,lights:t,transmissionRenderTarget:{}};return{init:s,state:c,setupLights:a,setupLightsView:l,pushLight:r,pushShadow:o}}function hx(i){let t=new WeakMap;function e(s,r=0){const o=t.get(s);let a;return o===void 0?(a=new uf(i),t.set(s,[a])):r>=o.length?(a=new uf(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}const ux=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,fx=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
#include <packing>
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = unpackRGBATo2Half( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ) );
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = unpackRGBAToDepth( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ) );
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( squared_mean - mean * mean );
	gl_FragColor = pack2HalfToRGBA( vec2( mean, std_dev ) );
}`;function dx(i,t,e){let n=new lc;const s=new ee,r=new ee,o=new Ve,a=new pg({depthPacking:Em}),l=new mg,c={},u=e.maxTextureSize,h={[di]:Cn,[Cn]:di,[Nn]:Nn},f=new Ki({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new ee},radius:{value:4}},vertexShader:ux,fragmentShader:fx}),p=f.clone();p.defines.HORIZONTAL_PASS=1;const _=new Ye;_.setAttribute("position",new nn(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));const x=new Dn(_,f),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Ph;let d=this.type;this.render=function(A,U,O){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||A.length===0)return;const b=i.getRenderTarget(),E=i.getActiveCubeFace(),C=i.getActiveMipmapLevel(),H=i.state;H.setBlending(Hi),H.buffers.depth.getReversed()===!0?H.buffers.color.setClear(0,0,0,0):H.buffers.color.setClear(1,1,1,1),H.buffers.depth.setTest(!0),H.setScissorTest(!1);const B=d!==Ci&&this.type===Ci,W=d===Ci&&this.type!==Ci;for(let X=0,$=A.length;X<$;X++){const Q=A[X],J=Q.shadow;if(J===void 0){console.warn("THREE.WebGLShadowMap:",Q,"has no shadow.");continue}if(J.autoUpdate===!1&&J.needsUpdate===!1)continue;s.copy(J.mapSize);const at=J.getFrameExtents();if(s.multiply(at),r.copy(J.mapSize),(s.x>u||s.y>u)&&(s.x>u&&(r.x=Math.floor(u/at.x),s.x=r.x*at.x,J.mapSize.x=r.x),s.y>u&&(r.y=Math.floor(u/at.y),s.y=r.y*at.y,J.mapSize.y=r.y)),J.map===null||B===!0||W===!0){const vt=this.type!==Ci?{minFilter:Fn,magFilter:Fn}:{};J.map!==null&&J.map.dispose(),J.map=new ps(s.x,s.y,vt),J.map.texture.name=Q.name+".shadowMap",J.camera.updateProjectionMatrix()}i.setRenderTarget(J.map),i.clear();const lt=J.getViewportCount();for(let vt=0;vt<lt;vt++){const St=J.getViewport(vt);o.set(r.x*St.x,r.y*St.y,r.x*St.z,r.y*St.w),H.viewport(o),J.updateMatrices(Q,vt),n=J.getFrustum(),S(U,O,J.camera,Q,this.type)}J.isPointLightShadow!==!0&&this.type===Ci&&T(J,O),J.needsUpdate=!1}d=this.type,m.needsUpdate=!1,i.setRenderTarget(b,E,C)};function T(A,U){const O=t.update(x);f.defines.VSM_SAMPLES!==A.blurSamples&&(f.defines.VSM_SAMPLES=A.blurSamples,p.defines.VSM_SAMPLES=A.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),A.mapPass===null&&(A.mapPass=new ps(s.x,s.y)),f.uniforms.shadow_pass.value=A.map.texture,f.uniforms.resolution.value=A.mapSize,f.uniforms.radius.value=A.radius,i.setRenderTarget(A.mapPass),i.clear(),i.renderBufferDirect(U,null,O,f,x,null),p.uniforms.shadow_pass.value=A.mapPass.texture,p.uniforms.resolution.value=A.mapSize,p.uniforms.radius.value=A.radius,i.setRenderTarget(A.map),i.clear(),i.renderBufferDirect(U,null,O,p,x,null)}function w(A,U,O,b){let E=null;const C=O.isPointLight===!0?A.customDistanceMaterial:A.customDepthMaterial;if(C!==void 0)E=C;else if(E=O.isPointLight===!0?l:a,i.localClippingEnabled&&U.clipShadows===!0&&Array.isArray(U.clippingPlanes)&&U.clippingPlanes.length!==0||U.displacementMap&&U.displacementScale!==0||U.alphaMap&&U.alphaTest>0||U.map&&U.alphaTest>0||U.alphaToCoverage===!0){const H=E.uuid,B=U.uuid;let W=c[H];W===void 0&&(W={},c[H]=W);let X=W[B];X===void 0&&(X=E.clone(),W[B]=X,U.addEventListener("dispose",D)),E=X}if(E.visible=U.visible,E.wireframe=U.wireframe,b===Ci?E.side=U.shadowSide!==null?U.shadowSide:U.side:E.side=U.shadowSide!==null?U.shadowSide:h[U.side],E.alphaMap=U.alphaMap,E.alphaTest=U.alphaToCoverage===!0?.5:U.alphaTest,E.map=U.map,E.clipShadows=U.clipShadows,E.clippingPlanes=U.clippingPlanes,E.clipIntersection=U.clipIntersection,E.displacementMap=U.displacementMap,E.displacementScale=U.displacementScale,E.displacementBias=U.displacementBias,E.wireframeLinewidth=U.wireframeLinewidth,E.linewidth=U.linewidth,O.isPointLight===!0&&E.isMeshDistanceMaterial===!0){const H=i.properties.get(E);H.light=O}return E}function S(A,U,O,b,E){if(A.visible===!1)return;if(A.layers.test(U.layers)&&(A.isMesh||A.isLine||A.isPoints)&&(A.castShadow||A.receiveShadow&&E===Ci)&&(!A.frustumCulled||n.intersectsObject(A))){A.modelViewMatrix.multiplyMatrices(O.matrixWorldInverse,A.matrixWorld);const B=t.update(A),W=A.material;if(Array.isArray(W)){const X=B.groups;for(let $=0,Q=X.length;$<Q;$++){const J=X[$],at=W[J.materialIndex];if(at&&at.visible){const lt=w(A,at,b,E);A.onBeforeShadow(i,A,U,O,B,lt,J),i.renderBufferDirect(O,null,B,lt,A,J),A.onAfterShadow(i,A,U,O,B,lt,J)}}}else if(W.visible){const X=w(A,W,b,E);A.onBeforeShadow(i,A,U,O,B,X,null),i.renderBufferDirect(O,null,B,X,A,null),A.onAfterShadow(i,A,U,O,B,X,null)}}const H=A.children;for(let B=0,W=H.length;B<W;B++)S(H[B],U,O,b,E)}function D(A){A.target.removeEventListener("dispose",D);for(const O in c){const b=c[O],E=A.target.uuid;E in b&&(b[E].dispose(),delete b[E])}}}const px={[Va]:Ga,[Wa]:qa,[Xa]:$a,[Vs]:Ya,[Ga]:Va,[qa]:Wa,[$a]:Xa,[Ya]:Vs};function mx(i,t){function e(){let z=!1;const ft=new Ve;let pt=null;const Pt=new Ve(0,0,0,0);return{setMask:function(ht){pt!==ht&&!z&&(i.colorMask(ht,ht,ht,ht),pt=ht)},setLocked:function(ht){z=ht},setClear:function(ht,rt,Ft,Qt,we){we===!0&&(ht*=Qt,rt*=Qt,Ft*=Qt),ft.set(ht,rt,Ft,Qt),Pt.equals(ft)===!1&&(i.clearColor(ht,rt,Ft,Qt),Pt.copy(ft))},reset:function(){z=!1,pt=null,Pt.set(-1,0,0,0)}}}function n(){let z=!1,ft=!1,pt=null,Pt=null,ht=null;return{setReversed:function(rt){if(ft!==rt){const Ft=t.get("EXT_clip_control");rt?Ft.clipControlEXT(Ft.LOWER_LEFT_EXT,Ft.ZERO_TO_ONE_EXT):Ft.clipControlEXT(Ft.LOWER_LEFT_EXT,Ft.NEGATIVE_ONE_TO_ONE_EXT),ft=rt;const Qt=ht;ht=null,this.setClear(Qt)}},getReversed:function(){return ft},setTest:function(rt){rt?nt(i.DEPTH_TEST):bt(i.DEPTH_TEST)},setMask:function(rt){pt!==rt&&!z&&(i.depthMask(rt),pt=rt)},setFunc:function(rt){if(ft&&(rt=px[rt]),Pt!==rt){switch(rt){case Va:i.depthFunc(i.NEVER);break;case Ga:i.depthFunc(i.ALWAYS);break;case Wa:i.depthFunc(i.LESS);break;case Vs:i.depthFunc(i.LEQUAL);break;case Xa:i.depthFunc(i.EQUAL);break;case Ya:i.depthFunc(i.GEQUAL);break;case qa:i.depthFunc(i.GREATER);break;case $a:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}Pt=rt}},setLocked:function(rt){z=rt},setClear:function(rt){ht!==rt&&(ft&&(rt=1-rt),i.clearDepth(rt),ht=rt)},reset:function(){z=!1,pt=null,Pt=null,ht=null,ft=!1}}}function s(){let z=!1,ft=null,pt=null,Pt=null,ht=null,rt=null,Ft=null,Qt=null,we=null;return{setTest:function(pe){z||(pe?nt(i.STENCIL_TEST):bt(i.STENCIL_TEST))},setMask:function(pe){ft!==pe&&!z&&(i.stencilMask(pe),ft=pe)},setFunc:function(pe,dn,Pe){(pt!==pe||Pt!==dn||ht!==Pe)&&(i.stencilFunc(pe,dn,Pe),pt=pe,Pt=dn,ht=Pe)},setOp:function(pe,dn,Pe){(rt!==pe||Ft!==dn||Qt!==Pe)&&(i.stencilOp(pe,dn,Pe),rt=pe,Ft=dn,Qt=Pe)},setLocked:function(pe){z=pe},setClear:function(pe){we!==pe&&(i.clearStencil(pe),we=pe)},reset:function(){z=!1,ft=null,pt=null,Pt=null,ht=null,rt=null,Ft=null,Qt=null,we=null}}}const r=new e,o=new n,a=new s,l=new WeakMap,c=new WeakMap;let u={},h={},f=new WeakMap,p=[],_=null,x=!1,m=null,d=null,T=null,w=null,S=null,D=null,A=null,U=new Kt(0,0,0),O=0,b=!1,E=null,C=null,H=null,B=null,W=null;const X=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS);let $=!1,Q=0;const J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(Q=parseFloat(/^WebGL (\d)/.exec(J)[1]),$=Q>=1):J.indexOf("OpenGL ES")!==-1&&(Q=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),$=Q>=2);let at=null,lt={};const vt=i.getParameter(i.SCISSOR_BOX),St=i.getParameter(i.VIEWPORT),_t=new Ve().fromArray(vt),ne=new Ve().fromArray(St);function Zt(z,ft,pt,Pt){const ht=new Uint8Array(4),rt=i.createTexture();i.bindTexture(z,rt),i.texParameteri(z,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(z,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ft=0;Ft<pt;Ft++)z===i.TEXTURE_3D||z===i.TEXTURE_2D_ARRAY?i.texImage3D(ft,0,i.RGBA,1,1,Pt,0,i.RGBA,i.UNSIGNED_BYTE,ht):i.texImage2D(ft+Ft,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,ht);return rt}const tt={};tt[i.TEXTURE_2D]=Zt(i.TEXTURE_2D,i.TEXTURE_2D,1),tt[i.TEXTURE_CUBE_MAP]=Zt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),tt[i.TEXTURE_2D_ARRAY]=Zt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),tt[i.TEXTURE_3D]=Zt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),nt(i.DEPTH_TEST),o.setFunc(Vs),Gt(!1),It(Ch),nt(i.CULL_FACE),ue(Hi);function nt(z){u[z]!==!0&&(i.enable(z),u[z]=!0)}function bt(z){u[z]!==!1&&(i.disable(z),u[z]=!1)}function zt(z,ft){return h[z]!==ft?(i.bindFramebuffer(z,ft),h[z]=ft,z===i.DRAW_FRAMEBUFFER&&(h[i.FRAMEBUFFER]=ft),z===i.FRAMEBUFFER&&(h[i.DRAW_FRAMEBUFFER]=ft),!0):!1}function xt(z,ft){let pt=p,Pt=!1;if(z){pt=f.get(ft),pt===void 0&&(pt=[],f.set(ft,pt));const ht=z.textures;if(pt.length!==ht.length||pt[0]!==i.COLOR_ATTACHMENT0){for(let rt=0,Ft=ht.length;rt<Ft;rt++)pt[rt]=i.COLOR_ATTACHMENT0+rt;pt.length=ht.length,Pt=!0}}else pt[0]!==i.BACK&&(pt[0]=i.BACK,Pt=!0);Pt&&i.drawBuffers(pt)}function Jt(z){return _!==z?(i.useProgram(z),_=z,!0):!1}const De={[cs]:i.FUNC_ADD,[jp]:i.FUNC_SUBTRACT,[Kp]:i.FUNC_REVERSE_SUBTRACT};De[Zp]=i.MIN,De[Jp]=i.MAX;const I={[Qp]:i.ZERO,[tm]:i.ONE,[em]:i.SRC_COLOR,[ka]:i.SRC_ALPHA,[am]:i.SRC_ALPHA_SATURATE,[rm]:i.DST_COLOR,[im]:i.DST_ALPHA,[nm]:i.ONE_MINUS_SRC_COLOR,[Ha]:i.ONE_MINUS_SRC_ALPHA,[om]:i.ONE_MINUS_DST_COLOR,[sm]:i.ONE_MINUS_DST_ALPHA,[lm]:i.CONSTANT_COLOR,[cm]:i.ONE_MINUS_CONSTANT_COLOR,[hm]:i.CONSTANT_ALPHA,[um]:i.ONE_MINUS_CONSTANT_ALPHA};function ue(z,ft,pt,Pt,ht,rt,Ft,Qt,we,pe){if(z===Hi){x===!0&&(bt(i.BLEND),x=!1);return}if(x===!1&&(nt(i.BLEND),x=!0),z!==$p){if(z!==m||pe!==b){if((d!==cs||S!==cs)&&(i.blendEquation(i.FUNC_ADD),d=cs,S=cs),pe)switch(z){case Hs:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Dh:i.blendFunc(i.ONE,i.ONE);break;case Lh:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Uh:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:console.error("THREE.WebGLState: Invalid blending: ",z);break}else switch(z){case Hs:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Dh:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case Lh:console.error("THREE.WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Uh:console.error("THREE.WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:console.error("THREE.WebGLState: Invalid blending: ",z);break}T=null,w=null,D=null,A=null,U.set(0,0,0),O=0,m=z,b=pe}return}ht=ht||ft,rt=rt||pt,Ft=Ft||Pt,(ft!==d||ht!==S)&&(i.blendEquationSeparate(De[ft],De[ht]),d=ft,S=ht),(pt!==T||Pt!==w||rt!==D||Ft!==A)&&(i.blendFuncSeparate(I[pt],I[Pt],I[rt],I[Ft]),T=pt,w=Pt,D=rt,A=Ft),(Qt.equals(U)===!1||we!==O)&&(i.blendColor(Qt.r,Qt.g,Qt.b,we),U.copy(Qt),O=we),m=z,b=!1}function qt(z,ft){z.side===Nn?bt(i.CULL_FACE):nt(i.CULL_FACE);let pt=z.side===Cn;ft&&(pt=!pt),Gt(pt),z.blending===Hs&&z.transparent===!1?ue(Hi):ue(z.blending,z.blendEquation,z.blendSrc,z.blendDst,z.blendEquationAlpha,z.blendSrcAlpha,z.blendDstAlpha,z.blendColor,z.blendAlpha,z.premultipliedAlpha),o.setFunc(z.depthFunc),o.setTest(z.depthTest),o.setMask(z.depthWrite),r.setMask(z.colorWrite);const Pt=z.stencilWrite;a.setTest(Pt),Pt&&(a.setMask(z.stencilWriteMask),a.setFunc(z.stencilFunc,z.stencilRef,z.stencilFuncMask),a.setOp(z.stencilFail,z.stencilZFail,z.stencilZPass)),Ct(z.polygonOffset,z.polygonOffsetFactor,z.polygonOffsetUnits),z.alphaToCoverage===!0?nt(i.SAMPLE_ALPHA_TO_COVERAGE):bt(i.SAMPLE_ALPHA_TO_COVERAGE)}function Gt(z){E!==z&&(z?i.frontFace(i.CW):i.frontFace(i.CCW),E=z)}function It(z){z!==Xp?(nt(i.CULL_FACE),z!==C&&(z===Ch?i.cullFace(i.BACK):z===Yp?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):bt(i.CULL_FACE),C=z}function ye(z){z!==H&&($&&i.lineWidth(z),H=z)}function Ct(z,ft,pt){z?(nt(i.POLYGON_OFFSET_FILL),(B!==ft||W!==pt)&&(i.polygonOffset(ft,pt),B=ft,W=pt)):bt(i.POLYGON_OFFSET_FILL)}function Vt(z){z?nt(i.SCISSOR_TEST):bt(i.SCISSOR_TEST)}function Fe(z){z===void 0&&(z=i.TEXTURE0+X-1),at!==z&&(i.activeTexture(z),at=z)}function ve(z,ft,pt){pt===void 0&&(at===null?pt=i.TEXTURE0+X-1:pt=at);let Pt=lt[pt];Pt===void 0&&(Pt={type:void 0,texture:void 0},lt[pt]=Pt),(Pt.type!==z||Pt.texture!==ft)&&(at!==pt&&(i.activeTexture(pt),at=pt),i.bindTexture(z,ft||tt[z]),Pt.type=z,Pt.texture=ft)}function P(){const z=lt[at];z!==void 0&&z.type!==void 0&&(i.bindTexture(z.type,null),z.type=void 0,z.texture=void 0)}function v(){try{i.compressedTexImage2D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function N(){try{i.compressedTexImage3D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function K(){try{i.texSubImage2D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function it(){try{i.texSubImage3D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function et(){try{i.compressedTexSubImage2D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function Nt(){try{i.compressedTexSubImage3D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function ut(){try{i.texStorage2D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function Dt(){try{i.texStorage3D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function At(){try{i.texImage2D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function ot(){try{i.texImage3D(...arguments)}catch(z){console.error("THREE.WebGLState:",z)}}function gt(z){_t.equals(z)===!1&&(i.scissor(z.x,z.y,z.z,z.w),_t.copy(z))}function Bt(z){ne.equals(z)===!1&&(i.viewport(z.x,z.y,z.z,z.w),ne.copy(z))}function Ot(z,ft){let pt=c.get(ft);pt===void 0&&(pt=new WeakMap,c.set(ft,pt));let Pt=pt.get(z);Pt===void 0&&(Pt=i.getUniformBlockIndex(ft,z.name),pt.set(z,Pt))}function Mt(z,ft){const Pt=c.get(ft).get(z);l.get(ft)!==Pt&&(i.uniformBlockBinding(ft,Pt,z.__bindingPointIndex),l.set(ft,Pt))}function jt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),u={},at=null,lt={},h={},f=new WeakMap,p=[],_=null,x=!1,m=null,d=null,T=null,w=null,S=null,D=null,A=null,U=new Kt(0,0,0),O=0,b=!1,E=null,C=null,H=null,B=null,W=null,_t.set(0,0,i.canvas.width,i.canvas.height),ne.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:nt,disable:bt,bindFramebuffer:zt,drawBuffers:xt,useProgram:Jt,setBlending:ue,setMaterial:qt,setFlipSided:Gt,setCullFace:It,setLineWidth:ye,setPolygonOffset:Ct,setScissorTest:Vt,activeTexture:Fe,bindTexture:ve,unbindTexture:P,compressedTexImage2D:v,compressedTexImage3D:N,texImage2D:At,texImage3D:ot,updateUBOMapping:Ot,uniformBlockBinding:Mt,texStorage2D:ut,texStorage3D:Dt,texSubImage2D:K,texSubImage3D:it,compressedTexSubImage2D:et,compressedTexSubImage3D:Nt,scissor:gt,viewport:Bt,reset:jt}}function gx(i,t,e,n,s,r,o){const a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new ee,u=new WeakMap;let h;const f=new WeakMap;let p=!1;try{p=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function _(P,v){return p?new OffscreenCanvas(P,v):Po("canvas")}function x(P,v,N){let K=1;const it=ve(P);if((it.width>N||it.height>N)&&(K=N/Math.max(it.width,it.height)),K<1)if(typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&P instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&P instanceof ImageBitmap||typeof VideoFrame<"u"&&P instanceof VideoFrame){const et=Math.floor(K*it.width),Nt=Math.floor(K*it.height);h===void 0&&(h=_(et,Nt));const ut=v?_(et,Nt):h;return ut.width=et,ut.height=Nt,ut.getContext("2d").drawImage(P,0,0,et,Nt),console.warn("THREE.WebGLRenderer: Texture has been resized from ("+it.width+"x"+it.height+") to ("+et+"x"+Nt+")."),ut}else return"data"in P&&console.warn("THREE.WebGLRenderer: Image in DataTexture is too big ("+it.width+"x"+it.height+")."),P;return P}function m(P){return P.generateMipmaps}function d(P){i.generateMipmap(P)}function T(P){return P.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:P.isWebGL3DRenderTarget?i.TEXTURE_3D:P.isWebGLArrayRenderTarget||P.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function w(P,v,N,K,it=!1){if(P!==null){if(i[P]!==void 0)return i[P];console.warn("THREE.WebGLRenderer: Attempt to use non-existing WebGL internal format '"+P+"'")}let et=v;if(v===i.RED&&(N===i.FLOAT&&(et=i.R32F),N===i.HALF_FLOAT&&(et=i.R16F),N===i.UNSIGNED_BYTE&&(et=i.R8)),v===i.RED_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.R8UI),N===i.UNSIGNED_SHORT&&(et=i.R16UI),N===i.UNSIGNED_INT&&(et=i.R32UI),N===i.BYTE&&(et=i.R8I),N===i.SHORT&&(et=i.R16I),N===i.INT&&(et=i.R32I)),v===i.RG&&(N===i.FLOAT&&(et=i.RG32F),N===i.HALF_FLOAT&&(et=i.RG16F),N===i.UNSIGNED_BYTE&&(et=i.RG8)),v===i.RG_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.RG8UI),N===i.UNSIGNED_SHORT&&(et=i.RG16UI),N===i.UNSIGNED_INT&&(et=i.RG32UI),N===i.BYTE&&(et=i.RG8I),N===i.SHORT&&(et=i.RG16I),N===i.INT&&(et=i.RG32I)),v===i.RGB_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.RGB8UI),N===i.UNSIGNED_SHORT&&(et=i.RGB16UI),N===i.UNSIGNED_INT&&(et=i.RGB32UI),N===i.BYTE&&(et=i.RGB8I),N===i.SHORT&&(et=i.RGB16I),N===i.INT&&(et=i.RGB32I)),v===i.RGBA_INTEGER&&(N===i.UNSIGNED_BYTE&&(et=i.RGBA8UI),N===i.UNSIGNED_SHORT&&(et=i.RGBA16UI),N===i.UNSIGNED_INT&&(et=i.RGBA32UI),N===i.BYTE&&(et=i.RGBA8I),N===i.SHORT&&(et=i.RGBA16I),N===i.INT&&(et=i.RGBA32I)),v===i.RGB&&(N===i.UNSIGNED_INT_5_9_9_9_REV&&(et=i.RGB9_E5),N===i.UNSIGNED_INT_10F_11F_11F_REV&&(et=i.R11F_G11F_B10F)),v===i.RGBA){const Nt=it?Ao:fe.getTransfer(K);N===i.FLOAT&&(et=i.RGBA32F),N===i.HALF_FLOAT&&(et=i.RGBA16F),N===i.UNSIGNED_BYTE&&(et=Nt===be?i.SRGB8_ALPHA8:i.RGBA8),N===i.UNSIGNED_SHORT_4_4_4_4&&(et=i.RGBA4),N===i.UNSIGNED_SHORT_5_5_5_1&&(et=i.RGB5_A1)}return(et===i.R16F||et===i.R32F||et===i.RG16F||et===i.RG32F||et===i.RGBA16F||et===i.RGBA32F)&&t.get("EXT_color_buffer_float"),et}function S(P,v){let N;return P?v===null||v===fs||v===Vr?N=i.DEPTH24_STENCIL8:v===gi?N=i.DEPTH32F_STENCIL8:v===kr&&(N=i.DEPTH24_STENCIL8,console.warn("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):v===null||v===fs||v===Vr?N=i.DEPTH_COMPONENT24:v===gi?N=i.DEPTH_COMPONENT32F:v===kr&&(N=i.DEPTH_COMPONENT16),N}function D(P,v){return m(P)===!0||P.isFramebufferTexture&&P.minFilter!==Fn&&P.minFilter!==pi?Math.log2(Math.max(v.width,v.height))+1:P.mipmaps!==void 0&&P.mipmaps.length>0?P.mipmaps.length:P.isCompressedTexture&&Array.isArray(P.image)?v.mipmaps.length:1}function A(P){const v=P.target;v.removeEventListener("dispose",A),O(v),v.isVideoTexture&&u.delete(v)}function U(P){const v=P.target;v.removeEventListener("dispose",U),E(v)}function O(P){const v=n.get(P);if(v.__webglInit===void 0)return;const N=P.source,K=f.get(N);if(K){const it=K[v.__cacheKey];it.usedTimes--,it.usedTimes===0&&b(P),Object.keys(K).length===0&&f.delete(N)}n.remove(P)}function b(P){const v=n.get(P);i.deleteTexture(v.__webglTexture);const N=P.source,K=f.get(N);delete K[v.__cacheKey],o.memory.textures--}function E(P){const v=n.get(P);if(P.depthTexture&&(P.depthTexture.dispose(),n.remove(P.depthTexture)),P.isWebGLCubeRenderTarget)for(let K=0;K<6;K++){if(Array.isArray(v.__webglFramebuffer[K]))for(let it=0;it<v.__webglFramebuffer[K].length;it++)i.deleteFramebuffer(v.__webglFramebuffer[K][it]);else i.deleteFramebuffer(v.__webglFramebuffer[K]);v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer[K])}else{if(Array.isArray(v.__webglFramebuffer))for(let K=0;K<v.__webglFramebuffer.length;K++)i.deleteFramebuffer(v.__webglFramebuffer[K]);else i.deleteFramebuffer(v.__webglFramebuffer);if(v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer),v.__webglMultisampledFramebuffer&&i.deleteFramebuffer(v.__webglMultisampledFramebuffer),v.__webglColorRenderbuffer)for(let K=0;K<v.__webglColorRenderbuffer.length;K++)v.__webglColorRenderbuffer[K]&&i.deleteRenderbuffer(v.__webglColorRenderbuffer[K]);v.__webglDepthRenderbuffer&&i.deleteRenderbuffer(v.__webglDepthRenderbuffer)}const N=P.textures;for(let K=0,it=N.length;K<it;K++){const et=n.get(N[K]);et.__webglTexture&&(i.deleteTexture(et.__webglTexture),o.memory.textures--),n.remove(N[K])}n.remove(P)}let C=0;function H(){C=0}function B(){const P=C;return P>=s.maxTextures&&console.warn("THREE.WebGLTextures: Trying to use "+P+" texture units while this GPU supports only "+s.maxTextures),C+=1,P}function W(P){const v=[];return v.push(P.wrapS),v.push(P.wrapT),v.push(P.wrapR||0),v.push(P.magFilter),v.push(P.minFilter),v.push(P.anisotropy),v.push(P.internalFormat),v.push(P.format),v.push(P.type),v.push(P.generateMipmaps),v.push(P.premultiplyAlpha),v.push(P.flipY),v.push(P.unpackAlignment),v.push(P.colorSpace),v.join()}function X(P,v){const N=n.get(P);if(P.isVideoTexture&&Vt(P),P.isRenderTargetTexture===!1&&P.isExternalTexture!==!0&&P.version>0&&N.__version!==P.version){const K=P.image;if(K===null)console.warn("THREE.WebGLRenderer: Texture marked for update but no image data found.");else if(K.complete===!1)console.warn("THREE.WebGLRenderer: Texture marked for update but image is incomplete");else{tt(N,P,v);return}}else P.isExternalTexture&&(N.__webglTexture=P.sourceTexture?P.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,N.__webglTexture,i.TEXTURE0+v)}function $(P,v){const N=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&N.__version!==P.version){tt(N,P,v);return}e.bindTexture(i.TEXTURE_2D_ARRAY,N.__webglTexture,i.TEXTURE0+v)}function Q(P,v){const N=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&N.__version!==P.version){tt(N,P,v);return}e.bindTexture(i.TEXTURE_3D,N.__webglTexture,i.TEXTURE0+v)}function J(P,v){const N=n.get(P);if(P.version>0&&N.__version!==P.version){nt(N,P,v);return}e.bindTexture(i.TEXTURE_CUBE_MAP,N.__webglTexture,i.TEXTURE0+v)}const at={[Ja]:i.REPEAT,[hs]:i.CLAMP_TO_EDGE,[Qa]:i.MIRRORED_REPEAT},lt={[Fn]:i.NEAREST,[Sm]:i.NEAREST_MIPMAP_NEAREST,[yo]:i.NEAREST_MIPMAP_LINEAR,[pi]:i.LINEAR,[tl]:i.LINEAR_MIPMAP_NEAREST,[us]:i.LINEAR_MIPMAP_LINEAR},vt={[Tm]:i.NEVER,[Dm]:i.ALWAYS,[wm]:i.LESS,[Wh]:i.LEQUAL,[Am]:i.EQUAL,[Pm]:i.GEQUAL,[Rm]:i.GREATER,[Cm]:i.NOTEQUAL};function St(P,v){if(v.type===gi&&t.has("OES_texture_float_linear")===!1&&(v.magFilter===pi||v.magFilter===tl||v.magFilter===yo||v.magFilter===us||v.minFilter===pi||v.minFilter===tl||v.minFilter===yo||v.minFilter===us)&&console.warn("THREE.WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(P,i.TEXTURE_WRAP_S,at[v.wrapS]),i.texParameteri(P,i.TEXTURE_WRAP_T,at[v.wrapT]),(P===i.TEXTURE_3D||P===i.TEXTURE_2D_ARRAY)&&i.texParameteri(P,i.TEXTURE_WRAP_R,at[v.wrapR]),i.texParameteri(P,i.TEXTURE_MAG_FILTER,lt[v.magFilter]),i.texParameteri(P,i.TEXTURE_MIN_FILTER,lt[v.minFilter]),v.compareFunction&&(i.texParameteri(P,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(P,i.TEXTURE_COMPARE_FUNC,vt[v.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(v.magFilter===Fn||v.minFilter!==yo&&v.minFilter!==us||v.type===gi&&t.has("OES_texture_float_linear")===!1)return;if(v.anisotropy>1||n.get(v).__currentAnisotropy){const N=t.get("EXT_texture_filter_anisotropic");i.texParameterf(P,N.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(v.anisotropy,s.getMaxAnisotropy())),n.get(v).__currentAnisotropy=v.anisotropy}}}function _t(P,v){let N=!1;P.__webglInit===void 0&&(P.__webglInit=!0,v.addEventListener("dispose",A));const K=v.source;let it=f.get(K);it===void 0&&(it={},f.set(K,it));const et=W(v);if(et!==P.__cacheKey){it[et]===void 0&&(it[et]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,N=!0),it[et].usedTimes++;const Nt=it[P.__cacheKey];Nt!==void 0&&(it[P.__cacheKey].usedTimes--,Nt.usedTimes===0&&b(v)),P.__cacheKey=et,P.__webglTexture=it[et].texture}return N}function ne(P,v,N){return Math.floor(Math.floor(P/N)/v)}function Zt(P,v,N,K){const et=P.updateRanges;if(et.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,v.width,v.height,N,K,v.data);else{et.sort((ot,gt)=>ot.start-gt.start);let Nt=0;for(let ot=1;ot<et.length;ot++){const gt=et[Nt],Bt=et[ot],Ot=gt.start+gt.count,Mt=ne(Bt.start,v.width,4),jt=ne(gt.start,v.width,4);Bt.start<=Ot+1&&Mt===jt&&ne(Bt.start+Bt.count-1,v.width,4)===Mt?gt.count=Math.max(gt.count,Bt.start+Bt.count-gt.start):(++Nt,et[Nt]=Bt)}et.length=Nt+1;const ut=i.getParameter(i.UNPACK_ROW_LENGTH),Dt=i.getParameter(i.UNPACK_SKIP_PIXELS),At=i.getParameter(i.UNPACK_SKIP_ROWS);i.pixelStorei(i.UNPACK_ROW_LENGTH,v.width);for(let ot=0,gt=et.length;ot<gt;ot++){const Bt=et[ot],Ot=Math.floor(Bt.start/4),Mt=Math.ceil(Bt.count/4),jt=Ot%v.width,z=Math.floor(Ot/v.width),ft=Mt,pt=1;i.pixelStorei(i.UNPACK_SKIP_PIXELS,jt),i.pixelStorei(i.UNPACK_SKIP_ROWS,z),e.texSubImage2D(i.TEXTURE_2D,0,jt,z,ft,pt,N,K,v.data)}P.clearUpdateRanges(),i.pixelStorei(i.UNPACK_ROW_LENGTH,ut),i.pixelStorei(i.UNPACK_SKIP_PIXELS,Dt),i.pixelStorei(i.UNPACK_SKIP_ROWS,At)}}function tt(P,v,N){let K=i.TEXTURE_2D;(v.isDataArrayTexture||v.isCompressedArrayTexture)&&(K=i.TEXTURE_2D_ARRAY),v.isData3DTexture&&(K=i.TEXTURE_3D);const it=_t(P,v),et=v.source;e.bindTexture(K,P.__webglTexture,i.TEXTURE0+N);const Nt=n.get(et);if(et.version!==Nt.__version||it===!0){e.activeTexture(i.TEXTURE0+N);const ut=fe.getPrimaries(fe.workingColorSpace),Dt=v.colorSpace===Gi?null:fe.getPrimaries(v.colorSpace),At=v.colorSpace===Gi||ut===Dt?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,At);let ot=x(v.image,!1,s.maxTextureSize);ot=Fe(v,ot);const gt=r.convert(v.format,v.colorSpace),Bt=r.convert(v.type);let Ot=w(v.internalFormat,gt,Bt,v.colorSpace,v.isVideoTexture);St(K,v);let Mt;const jt=v.mipmaps,z=v.isVideoTexture!==!0,ft=Nt.__version===void 0||it===!0,pt=et.dataReady,Pt=D(v,ot);if(v.isDepthTexture)Ot=S(v.format===Wr,v.type),ft&&(z?e.texStorage2D(i.TEXTURE_2D,1,Ot,ot.width,ot.height):e.texImage2D(i.TEXTURE_2D,0,Ot,ot.width,ot.height,0,gt,Bt,null));else if(v.isDataTexture)if(jt.length>0){z&&ft&&e.texStorage2D(i.TEXTURE_2D,Pt,Ot,jt[0].width,jt[0].height);for(let ht=0,rt=jt.length;ht<rt;ht++)Mt=jt[ht],z?pt&&e.texSubImage2D(i.TEXTURE_2D,ht,0,0,Mt.width,Mt.height,gt,Bt,Mt.data):e.texImage2D(i.TEXTURE_2D,ht,Ot,Mt.width,Mt.height,0,gt,Bt,Mt.data);v.generateMipmaps=!1}else z?(ft&&e.texStorage2D(i.TEXTURE_2D,Pt,Ot,ot.width,ot.height),pt&&Zt(v,ot,gt,Bt)):e.texImage2D(i.TEXTURE_2D,0,Ot,ot.width,ot.height,0,gt,Bt,ot.data);else if(v.isCompressedTexture)if(v.isCompressedArrayTexture){z&&ft&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Pt,Ot,jt[0].width,jt[0].height,ot.depth);for(let ht=0,rt=jt.length;ht<rt;ht++)if(Mt=jt[ht],v.format!==ni)if(gt!==null)if(z){if(pt)if(v.layerUpdates.size>0){const Ft=Nu(Mt.width,Mt.height,v.format,v.type);for(const Qt of v.layerUpdates){const we=Mt.data.subarray(Qt*Ft/Mt.data.BYTES_PER_ELEMENT,(Qt+1)*Ft/Mt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ht,0,0,Qt,Mt.width,Mt.height,1,gt,we)}v.clearLayerUpdates()}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ht,0,0,0,Mt.width,Mt.height,ot.depth,gt,Mt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,ht,Ot,Mt.width,Mt.height,ot.depth,0,Mt.data,0,0);else console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else z?pt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,ht,0,0,0,Mt.width,Mt.height,ot.depth,gt,Bt,Mt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,ht,Ot,Mt.width,Mt.height,ot.depth,0,gt,Bt,Mt.data)}else{z&&ft&&e.texStorage2D(i.TEXTURE_2D,Pt,Ot,jt[0].width,jt[0].height);for(let ht=0,rt=jt.length;ht<rt;ht++)Mt=jt[ht],v.format!==ni?gt!==null?z?pt&&e.compressedTexSubImage2D(i.TEXTURE_2D,ht,0,0,Mt.width,Mt.height,gt,Mt.data):e.compressedTexImage2D(i.TEXTURE_2D,ht,Ot,Mt.width,Mt.height,0,Mt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):z?pt&&e.texSubImage2D(i.TEXTURE_2D,ht,0,0,Mt.width,Mt.height,gt,Bt,Mt.data):e.texImage2D(i.TEXTURE_2D,ht,Ot,Mt.width,Mt.height,0,gt,Bt,Mt.data)}else if(v.isDataArrayTexture)if(z){if(ft&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Pt,Ot,ot.width,ot.height,ot.depth),pt)if(v.layerUpdates.size>0){const ht=Nu(ot.width,ot.height,v.format,v.type);for(const rt of v.layerUpdates){const Ft=ot.data.subarray(rt*ht/ot.data.BYTES_PER_ELEMENT,(rt+1)*ht/ot.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,rt,ot.width,ot.height,1,gt,Bt,Ft)}v.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,ot.width,ot.height,ot.depth,gt,Bt,ot.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,Ot,ot.width,ot.height,ot.depth,0,gt,Bt,ot.data);else if(v.isData3DTexture)z?(ft&&e.texStorage3D(i.TEXTURE_3D,Pt,Ot,ot.width,ot.height,ot.depth),pt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,ot.width,ot.height,ot.depth,gt,Bt,ot.data)):e.texImage3D(i.TEXTURE_3D,0,Ot,ot.width,ot.height,ot.depth,0,gt,Bt,ot.data);else if(v.isFramebufferTexture){if(ft)if(z)e.texStorage2D(i.TEXTURE_2D,Pt,Ot,ot.width,ot.height);else{let ht=ot.width,rt=ot.height;for(let Ft=0;Ft<Pt;Ft++)e.texImage2D(i.TEXTURE_2D,Ft,Ot,ht,rt,0,gt,Bt,null),ht>>=1,rt>>=1}}else if(jt.length>0){if(z&&ft){const ht=ve(jt[0]);e.texStorage2D(i.TEXTURE_2D,Pt,Ot,ht.width,ht.height)}for(let ht=0,rt=jt.length;ht<rt;ht++)Mt=jt[ht],z?pt&&e.texSubImage2D(i.TEXTURE_2D,ht,0,0,gt,Bt,Mt):e.texImage2D(i.TEXTURE_2D,ht,Ot,gt,Bt,Mt);v.generateMipmaps=!1}else if(z){if(ft){const ht=ve(ot);e.texStorage2D(i.TEXTURE_2D,Pt,Ot,ht.width,ht.height)}pt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,gt,Bt,ot)}else e.texImage2D(i.TEXTURE_2D,0,Ot,gt,Bt,ot);m(v)&&d(K),Nt.__version=et.version,v.onUpdate&&v.onUpdate(v)}P.__version=v.version}function nt(P,v,N){if(v.image.length!==6)return;const K=_t(P,v),it=v.source;e.bindTexture(i.TEXTURE_CUBE_MAP,P.__webglTexture,i.TEXTURE0+N);const et=n.get(it);if(it.version!==et.__version||K===!0){e.activeTexture(i.TEXTURE0+N);const Nt=fe.getPrimaries(fe.workingColorSpace),ut=v.colorSpace===Gi?null:fe.getPrimaries(v.colorSpace),Dt=v.colorSpace===Gi||Nt===ut?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Dt);const At=v.isCompressedTexture||v.image[0].isCompressedTexture,ot=v.image[0]&&v.image[0].isDataTexture,gt=[];for(let rt=0;rt<6;rt++)!At&&!ot?gt[rt]=x(v.image[rt],!0,s.maxCubemapSize):gt[rt]=ot?v.image[rt].image:v.image[rt],gt[rt]=Fe(v,gt[rt]);const Bt=gt[0],Ot=r.convert(v.format,v.colorSpace),Mt=r.convert(v.type),jt=w(v.internalFormat,Ot,Mt,v.colorSpace),z=v.isVideoTexture!==!0,ft=et.__version===void 0||K===!0,pt=it.dataReady;let Pt=D(v,Bt);St(i.TEXTURE_CUBE_MAP,v);let ht;if(At){z&&ft&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Pt,jt,Bt.width,Bt.height);for(let rt=0;rt<6;rt++){ht=gt[rt].mipmaps;for(let Ft=0;Ft<ht.length;Ft++){const Qt=ht[Ft];v.format!==ni?Ot!==null?z?pt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,0,0,Qt.width,Qt.height,Ot,Qt.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,jt,Qt.width,Qt.height,0,Qt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):z?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,0,0,Qt.width,Qt.height,Ot,Mt,Qt.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft,jt,Qt.width,Qt.height,0,Ot,Mt,Qt.data)}}}else{if(ht=v.mipmaps,z&&ft){ht.length>0&&Pt++;const rt=ve(gt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Pt,jt,rt.width,rt.height)}for(let rt=0;rt<6;rt++)if(ot){z?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,0,0,gt[rt].width,gt[rt].height,Ot,Mt,gt[rt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,jt,gt[rt].width,gt[rt].height,0,Ot,Mt,gt[rt].data);for(let Ft=0;Ft<ht.length;Ft++){const we=ht[Ft].image[rt].image;z?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,0,0,we.width,we.height,Ot,Mt,we.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,jt,we.width,we.height,0,Ot,Mt,we.data)}}else{z?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,0,0,Ot,Mt,gt[rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,jt,Ot,Mt,gt[rt]);for(let Ft=0;Ft<ht.length;Ft++){const Qt=ht[Ft];z?pt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,0,0,Ot,Mt,Qt.image[rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Ft+1,jt,Ot,Mt,Qt.image[rt])}}}m(v)&&d(i.TEXTURE_CUBE_MAP),et.__version=it.version,v.onUpdate&&v.onUpdate(v)}P.__version=v.version}function bt(P,v,N,K,it,et){const Nt=r.convert(N.format,N.colorSpace),ut=r.convert(N.type),Dt=w(N.internalFormat,Nt,ut,N.colorSpace),At=n.get(v),ot=n.get(N);if(ot.__renderTarget=v,!At.__hasExternalTextures){const gt=Math.max(1,v.width>>et),Bt=Math.max(1,v.height>>et);it===i.TEXTURE_3D||it===i.TEXTURE_2D_ARRAY?e.texImage3D(it,et,Dt,gt,Bt,v.depth,0,Nt,ut,null):e.texImage2D(it,et,Dt,gt,Bt,0,Nt,ut,null)}e.bindFramebuffer(i.FRAMEBUFFER,P),Ct(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,K,it,ot.__webglTexture,0,ye(v)):(it===i.TEXTURE_2D||it>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&it<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,K,it,ot.__webglTexture,et),e.bindFramebuffer(i.FRAMEBUFFER,null)}function zt(P,v,N){if(i.bindRenderbuffer(i.RENDERBUFFER,P),v.depthBuffer){const K=v.depthTexture,it=K&&K.isDepthTexture?K.type:null,et=S(v.stencilBuffer,it),Nt=v.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ut=ye(v);Ct(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,ut,et,v.width,v.height):N?i.renderbufferStorageMultisample(i.RENDERBUFFER,ut,et,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,et,v.width,v.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,Nt,i.RENDERBUFFER,P)}else{const K=v.textures;for(let it=0;it<K.length;it++){const et=K[it],Nt=r.convert(et.format,et.colorSpace),ut=r.convert(et.type),Dt=w(et.internalFormat,Nt,ut,et.colorSpace),At=ye(v);N&&Ct(v)===!1?i.renderbufferStorageMultisample(i.RENDERBUFFER,At,Dt,v.width,v.height):Ct(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,At,Dt,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,Dt,v.width,v.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function xt(P,v){if(v&&v.isWebGLCubeRenderTarget)throw new Error("Depth Texture with cube render targets is not supported");if(e.bindFramebuffer(i.FRAMEBUFFER,P),!(v.depthTexture&&v.depthTexture.isDepthTexture))throw new Error("renderTarget.depthTexture must be an instance of THREE.DepthTexture");const K=n.get(v.depthTexture);K.__renderTarget=v,(!K.__webglTexture||v.depthTexture.image.width!==v.width||v.depthTexture.image.height!==v.height)&&(v.depthTexture.image.width=v.width,v.depthTexture.image.height=v.height,v.depthTexture.needsUpdate=!0),X(v.depthTexture,0);const it=K.__webglTexture,et=ye(v);if(v.depthTexture.format===Gr)Ct(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,it,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,it,0);else if(v.depthTexture.format===Wr)Ct(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,it,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,it,0);else throw new Error("Unknown depthTexture format")}function Jt(P){const v=n.get(P),N=P.isWebGLCubeRenderTarget===!0;if(v.__boundDepthTexture!==P.depthTexture){const K=P.depthTexture;if(v.__depthDisposeCallback&&v.__depthDisposeCallback(),K){const it=()=>{delete v.__boundDepthTexture,delete v.__depthDisposeCallback,K.removeEventListener("dispose",it)};K.addEventListener("dispose",it),v.__depthDisposeCallback=it}v.__boundDepthTexture=K}if(P.depthTexture&&!v.__autoAllocateDepthBuffer){if(N)throw new Error("target.depthTexture not supported in Cube render targets");const K=P.texture.mipmaps;K&&K.length>0?xt(v.__webglFramebuffer[0],P):xt(v.__webglFramebuffer,P)}else if(N){v.__webglDepthbuffer=[];for(let K=0;K<6;K++)if(e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[K]),v.__webglDepthbuffer[K]===void 0)v.__webglDepthbuffer[K]=i.createRenderbuffer(),zt(v.__webglDepthbuffer[K],P,!1);else{const it=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,et=v.__webglDepthbuffer[K];i.bindRenderbuffer(i.RENDERBUFFER,et),i.framebufferRenderbuffer(i.FRAMEBUFFER,it,i.RENDERBUFFER,et)}}else{const K=P.texture.mipmaps;if(K&&K.length>0?e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer),v.__webglDepthbuffer===void 0)v.__webglDepthbuffer=i.createRenderbuffer(),zt(v.__webglDepthbuffer,P,!1);else{const it=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,et=v.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,et),i.framebufferRenderbuffer(i.FRAMEBUFFER,it,i.RENDERBUFFER,et)}}e.bindFramebuffer(i.FRAMEBUFFER,null)}function De(P,v,N){const K=n.get(P);v!==void 0&&bt(K.__webglFramebuffer,P,P.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),N!==void 0&&Jt(P)}function I(P){const v=P.texture,N=n.get(P),K=n.get(v);P.addEventListener("dispose",U);const it=P.textures,et=P.isWebGLCubeRenderTarget===!0,Nt=it.length>1;if(Nt||(K.__webglTexture===void 0&&(K.__webglTexture=i.createTexture()),K.__version=v.version,o.memory.textures++),et){N.__webglFramebuffer=[];for(let ut=0;ut<6;ut++)if(v.mipmaps&&v.mipmaps.length>0){N.__webglFramebuffer[ut]=[];for(let Dt=0;Dt<v.mipmaps.length;Dt++)N.__webglFramebuffer[ut][Dt]=i.createFramebuffer()}else N.__webglFramebuffer[ut]=i.createFramebuffer()}else{if(v.mipmaps&&v.mipmaps.length>0){N.__webglFramebuffer=[];for(let ut=0;ut<v.mipmaps.length;ut++)N.__webglFramebuffer[ut]=i.createFramebuffer()}else N.__webglFramebuffer=i.createFramebuffer();if(Nt)for(let ut=0,Dt=it.length;ut<Dt;ut++){const At=n.get(it[ut]);At.__webglTexture===void 0&&(At.__webglTexture=i.createTexture(),o.memory.textures++)}if(P.samples>0&&Ct(P)===!1){N.__webglMultisampledFramebuffer=i.createFramebuffer(),N.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,N.__webglMultisampledFramebuffer);for(let ut=0;ut<it.length;ut++){const Dt=it[ut];N.__webglColorRenderbuffer[ut]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,N.__webglColorRenderbuffer[ut]);const At=r.convert(Dt.format,Dt.colorSpace),ot=r.convert(Dt.type),gt=w(Dt.internalFormat,At,ot,Dt.colorSpace,P.isXRRenderTarget===!0),Bt=ye(P);i.renderbufferStorageMultisample(i.RENDERBUFFER,Bt,gt,P.width,P.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+ut,i.RENDERBUFFER,N.__webglColorRenderbuffer[ut])}i.bindRenderbuffer(i.RENDERBUFFER,null),P.depthBuffer&&(N.__webglDepthRenderbuffer=i.createRenderbuffer(),zt(N.__webglDepthRenderbuffer,P,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(et){e.bindTexture(i.TEXTURE_CUBE_MAP,K.__webglTexture),St(i.TEXTURE_CUBE_MAP,v);for(let ut=0;ut<6;ut++)if(v.mipmaps&&v.mipmaps.length>0)for(let Dt=0;Dt<v.mipmaps.length;Dt++)bt(N.__webglFramebuffer[ut][Dt],P,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ut,Dt);else bt(N.__webglFramebuffer[ut],P,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ut,0);m(v)&&d(i.TEXTURE_CUBE_MAP),e.unbindTexture()}else if(Nt){for(let ut=0,Dt=it.length;ut<Dt;ut++){const At=it[ut],ot=n.get(At);let gt=i.TEXTURE_2D;(P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(gt=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(gt,ot.__webglTexture),St(gt,At),bt(N.__webglFramebuffer,P,At,i.COLOR_ATTACHMENT0+ut,gt,0),m(At)&&d(gt)}e.unbindTexture()}else{let ut=i.TEXTURE_2D;if((P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(ut=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(ut,K.__webglTexture),St(ut,v),v.mipmaps&&v.mipmaps.length>0)for(let Dt=0;Dt<v.mipmaps.length;Dt++)bt(N.__webglFramebuffer[Dt],P,v,i.COLOR_ATTACHMENT0,ut,Dt);else bt(N.__webglFramebuffer,P,v,i.COLOR_ATTACHMENT0,ut,0);m(v)&&d(ut),e.unbindTexture()}P.depthBuffer&&Jt(P)}function ue(P){const v=P.textures;for(let N=0,K=v.length;N<K;N++){const it=v[N];if(m(it)){const et=T(P),Nt=n.get(it).__webglTexture;e.bindTexture(et,Nt),d(et),e.unbindTexture()}}}const qt=[],Gt=[];function It(P){if(P.samples>0){if(Ct(P)===!1){const v=P.textures,N=P.width,K=P.height;let it=i.COLOR_BUFFER_BIT;const et=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,Nt=n.get(P),ut=v.length>1;if(ut)for(let At=0;At<v.length;At++)e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,Nt.__webglMultisampledFramebuffer);const Dt=P.texture.mipmaps;Dt&&Dt.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Nt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Nt.__webglFramebuffer);for(let At=0;At<v.length;At++){if(P.resolveDepthBuffer&&(P.depthBuffer&&(it|=i.DEPTH_BUFFER_BIT),P.stencilBuffer&&P.resolveStencilBuffer&&(it|=i.STENCIL_BUFFER_BIT)),ut){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,Nt.__webglColorRenderbuffer[At]);const ot=n.get(v[At]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,ot,0)}i.blitFramebuffer(0,0,N,K,0,0,N,K,it,i.NEAREST),l===!0&&(qt.length=0,Gt.length=0,qt.push(i.COLOR_ATTACHMENT0+At),P.depthBuffer&&P.resolveDepthBuffer===!1&&(qt.push(et),Gt.push(et),i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,Gt)),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,qt))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),ut)for(let At=0;At<v.length;At++){e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.RENDERBUFFER,Nt.__webglColorRenderbuffer[At]);const ot=n.get(v[At]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,Nt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+At,i.TEXTURE_2D,ot,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Nt.__webglMultisampledFramebuffer)}else if(P.depthBuffer&&P.resolveDepthBuffer===!1&&l){const v=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[v])}}}function ye(P){return Math.min(s.maxSamples,P.samples)}function Ct(P){const v=n.get(P);return P.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&v.__useRenderToTexture!==!1}function Vt(P){const v=o.render.frame;u.get(P)!==v&&(u.set(P,v),P.update())}function Fe(P,v){const N=P.colorSpace,K=P.format,it=P.type;return P.isCompressedTexture===!0||P.isVideoTexture===!0||N!==Xs&&N!==Gi&&(fe.getTransfer(N)===be?(K!==ni||it!==mi)&&console.warn("THREE.WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):console.error("THREE.WebGLTextures: Unsupported texture color space:",N)),v}function ve(P){return typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement?(c.width=P.naturalWidth||P.width,c.height=P.naturalHeight||P.height):typeof VideoFrame<"u"&&P instanceof VideoFrame?(c.width=P.displayWidth,c.height=P.displayHeight):(c.width=P.width,c.height=P.height),c}this.allocateTextureUnit=B,this.resetTextureUnits=H,this.setTexture2D=X,this.setTexture2DArray=$,this.setTexture3D=Q,this.setTextureCube=J,this.rebindTextures=De,this.setupRenderTarget=I,this.updateRenderTargetMipmap=ue,this.updateMultisampleRenderTarget=It,this.setupDepthRenderbuffer=Jt,this.setupFrameBufferTexture=bt,this.useMultisampledRTT=Ct}function _x(i,t){function e(n,s=Gi){let r;const o=fe.getTransfer(s);if(n===mi)return i.UNSIGNED_BYTE;if(n===nl)return i.UNSIGNED_SHORT_4_4_4_4;if(n===il)return i.UNSIGNED_SHORT_5_5_5_1;if(n===Oh)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Bh)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===Nh)return i.BYTE;if(n===Fh)return i.SHORT;if(n===kr)return i.UNSIGNED_SHORT;if(n===el)return i.INT;if(n===fs)return i.UNSIGNED_INT;if(n===gi)return i.FLOAT;if(n===Hr)return i.HALF_FLOAT;if(n===zh)return i.ALPHA;if(n===kh)return i.RGB;if(n===ni)return i.RGBA;if(n===Gr)return i.DEPTH_COMPONENT;if(n===Wr)return i.DEPTH_STENCIL;if(n===sl)return i.RED;if(n===rl)return i.RED_INTEGER;if(n===Hh)return i.RG;if(n===ol)return i.RG_INTEGER;if(n===al)return i.RGBA_INTEGER;if(n===Eo||n===bo||n===To||n===wo)if(o===be)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===Eo)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===bo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===To)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===wo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===Eo)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===bo)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===To)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===wo)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===ll||n===cl||n===hl||n===ul)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===ll)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===cl)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===hl)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===ul)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===fl||n===dl||n===pl)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===fl||n===dl)return o===be?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===pl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC}else return null;if(n===ml||n===gl||n===_l||n===vl||n===xl||n===Ml||n===Sl||n===yl||n===El||n===bl||n===Tl||n===wl||n===Al||n===Rl)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===ml)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===gl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===_l)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===vl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===xl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===Ml)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Sl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===yl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===El)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===bl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Tl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===wl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Al)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Rl)return o===be?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Cl||n===Pl||n===Dl)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===Cl)return o===be?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Pl)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Dl)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Ll||n===Ul||n===Il||n===Nl)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===Ll)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Ul)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Il)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Nl)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===Vr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}const vx=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,xx=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`;class Mx{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){const n=new Au(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){const e=t.cameras[0].viewport,n=new Ki({vertexShader:vx,fragmentShader:xx,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new Dn(new ta(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}}class Sx extends ds{constructor(t,e){super();const n=this;let s=null,r=1,o=null,a="local-floor",l=1,c=null,u=null,h=null,f=null,p=null,_=null;const x=typeof XRWebGLBinding<"u",m=new Mx,d={},T=e.getContextAttributes();let w=null,S=null;const D=[],A=[],U=new ee;let O=null;const b=new jn;b.viewport=new Ve;const E=new jn;E.viewport=new Ve;const C=[b,E],H=new Mg;let B=null,W=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(tt){let nt=D[tt];return nt===void 0&&(nt=new oc,D[tt]=nt),nt.getTargetRaySpace()},this.getControllerGrip=function(tt){let nt=D[tt];return nt===void 0&&(nt=new oc,D[tt]=nt),nt.getGripSpace()},this.getHand=function(tt){let nt=D[tt];return nt===void 0&&(nt=new oc,D[tt]=nt),nt.getHandSpace()};function X(tt){const nt=A.indexOf(tt.inputSource);if(nt===-1)return;const bt=D[nt];bt!==void 0&&(bt.update(tt.inputSource,tt.frame,c||o),bt.dispatchEvent({type:tt.type,data:tt.inputSource}))}function $(){s.removeEventListener("select",X),s.removeEventListener("selectstart",X),s.removeEventListener("selectend",X),s.removeEventListener("squeeze",X),s.removeEventListener("squeezestart",X),s.removeEventListener("squeezeend",X),s.removeEventListener("end",$),s.removeEventListener("inputsourceschange",Q);for(let tt=0;tt<D.length;tt++){const nt=A[tt];nt!==null&&(A[tt]=null,D[tt].disconnect(nt))}B=null,W=null,m.reset();for(const tt in d)delete d[tt];t.setRenderTarget(w),p=null,f=null,h=null,s=null,S=null,Zt.stop(),n.isPresenting=!1,t.setPixelRatio(O),t.setSize(U.width,U.height,!1),n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(tt){r=tt,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(tt){a=tt,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(tt){c=tt},this.getBaseLayer=function(){return f!==null?f:p},this.getBinding=function(){return h===null&&x&&(h=new XRWebGLBinding(s,e)),h},this.getFrame=function(){return _},this.getSession=function(){return s},this.setSession=async function(tt){if(s=tt,s!==null){if(w=t.getRenderTarget(),s.addEventListener("select",X),s.addEventListener("selectstart",X),s.addEventListener("selectend",X),s.addEventListener("squeeze",X),s.addEventListener("squeezestart",X),s.addEventListener("squeezeend",X),s.addEventListener("end",$),s.addEventListener("inputsourceschange",Q),T.xrCompatible!==!0&&await e.makeXRCompatible(),O=t.getPixelRatio(),t.getSize(U),x&&"createProjectionLayer"in XRWebGLBinding.prototype){let bt=null,zt=null,xt=null;T.depth&&(xt=T.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,bt=T.stencil?Wr:Gr,zt=T.stencil?Vr:fs);const Jt={colorFormat:e.RGBA8,depthFormat:xt,scaleFactor:r};h=this.getBinding(),f=h.createProjectionLayer(Jt),s.updateRenderState({layers:[f]}),t.setPixelRatio(1),t.setSize(f.textureWidth,f.textureHeight,!1),S=new ps(f.textureWidth,f.textureHeight,{format:ni,type:mi,depthTexture:new wu(f.textureWidth,f.textureHeight,zt,void 0,void 0,void 0,void 0,void 0,void 0,bt),stencilBuffer:T.stencil,colorSpace:t.outputColorSpace,samples:T.antialias?4:0,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1})}else{const bt={antialias:T.antialias,alpha:!0,depth:T.depth,stencil:T.stencil,framebufferScaleFactor:r};p=new XRWebGLLayer(s,e,bt),s.updateRenderState({baseLayer:p}),t.setPixelRatio(1),t.setSize(p.framebufferWidth,p.framebufferHeight,!1),S=new ps(p.framebufferWidth,p.framebufferHeight,{format:ni,type:mi,colorSpace:t.outputColorSpace,stencilBuffer:T.stencil,resolveDepthBuffer:p.ignoreDepthValues===!1,resolveStencilBuffer:p.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),Zt.setContext(s),Zt.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function Q(tt){for(let nt=0;nt<tt.removed.length;nt++){const bt=tt.removed[nt],zt=A.indexOf(bt);zt>=0&&(A[zt]=null,D[zt].disconnect(bt))}for(let nt=0;nt<tt.added.length;nt++){const bt=tt.added[nt];let zt=A.indexOf(bt);if(zt===-1){for(let Jt=0;Jt<D.length;Jt++)if(Jt>=A.length){A.push(bt),zt=Jt;break}else if(A[Jt]===null){A[Jt]=bt,zt=Jt;break}if(zt===-1)break}const xt=D[zt];xt&&xt.connect(bt)}}const J=new F,at=new F;function lt(tt,nt,bt){J.setFromMatrixPosition(nt.matrixWorld),at.setFromMatrixPosition(bt.matrixWorld);const zt=J.distanceTo(at),xt=nt.projectionMatrix.elements,Jt=bt.projectionMatrix.elements,De=xt[14]/(xt[10]-1),I=xt[14]/(xt[10]+1),ue=(xt[9]+1)/xt[5],qt=(xt[9]-1)/xt[5],Gt=(xt[8]-1)/xt[0],It=(Jt[8]+1)/Jt[0],ye=De*Gt,Ct=De*It,Vt=zt/(-Gt+It),Fe=Vt*-Gt;if(nt.matrixWorld.decompose(tt.position,tt.quaternion,tt.scale),tt.translateX(Fe),tt.translateZ(Vt),tt.matrixWorld.compose(tt.position,tt.quaternion,tt.scale),tt.matrixWorldInverse.copy(tt.matrixWorld).invert(),xt[10]===-1)tt.projectionMatrix.copy(nt.projectionMatrix),tt.projectionMatrixInverse.copy(nt.projectionMatrixInverse);else{const ve=De+Vt,P=I+Vt,v=ye-Fe,N=Ct+(zt-Fe),K=ue*I/P*ve,it=qt*I/P*ve;tt.projectionMatrix.makePerspective(v,N,K,it,ve,P),tt.projectionMatrixInverse.copy(tt.projectionMatrix).invert()}}function vt(tt,nt){nt===null?tt.matrixWorld.copy(tt.matrix):tt.matrixWorld.multiplyMatrices(nt.matrixWorld,tt.matrix),tt.matrixWorldInverse.copy(tt.matrixWorld).invert()}this.updateCamera=function(tt){if(s===null)return;let nt=tt.near,bt=tt.far;m.texture!==null&&(m.depthNear>0&&(nt=m.depthNear),m.depthFar>0&&(bt=m.depthFar)),H.near=E.near=b.near=nt,H.far=E.far=b.far=bt,(B!==H.near||W!==H.far)&&(s.updateRenderState({depthNear:H.near,depthFar:H.far}),B=H.near,W=H.far),H.layers.mask=tt.layers.mask|6,b.layers.mask=H.layers.mask&3,E.layers.mask=H.layers.mask&5;const zt=tt.parent,xt=H.cameras;vt(H,zt);for(let Jt=0;Jt<xt.length;Jt++)vt(xt[Jt],zt);xt.length===2?lt(H,b,E):H.projectionMatrix.copy(b.projectionMatrix),St(tt,H,zt)};function St(tt,nt,bt){bt===null?tt.matrix.copy(nt.matrixWorld):(tt.matrix.copy(bt.matrixWorld),tt.matrix.invert(),tt.matrix.multiply(nt.matrixWorld)),tt.matrix.decompose(tt.position,tt.quaternion,tt.scale),tt.updateMatrixWorld(!0),tt.projectionMatrix.copy(nt.projectionMatrix),tt.projectionMatrixInverse.copy(nt.projectionMatrixInverse),tt.isPerspectiveCamera&&(tt.fov=Fl*2*Math.atan(1/tt.projectionMatrix.elements[5]),tt.zoom=1)}this.getCamera=function(){return H},this.getFoveation=function(){if(!(f===null&&p===null))return l},this.setFoveation=function(tt){l=tt,f!==null&&(f.fixedFoveation=tt),p!==null&&p.fixedFoveation!==void 0&&(p.fixedFoveation=tt)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(H)},this.getCameraTexture=function(tt){return d[tt]};let _t=null;function ne(tt,nt){if(u=nt.getViewerPose(c||o),_=nt,u!==null){const bt=u.views;p!==null&&(t.setRenderTargetFramebuffer(S,p.framebuffer),t.setRenderTarget(S));let zt=!1;bt.length!==H.cameras.length&&(H.cameras.length=0,zt=!0);for(let I=0;I<bt.length;I++){const ue=bt[I];let qt=null;if(p!==null)qt=p.getViewport(ue);else{const It=h.getViewSubImage(f,ue);qt=It.viewport,I===0&&(t.setRenderTargetTextures(S,It.colorTexture,It.depthStencilTexture),t.setRenderTarget(S))}let Gt=C[I];Gt===void 0&&(Gt=new jn,Gt.layers.enable(I),Gt.viewport=new Ve,C[I]=Gt),Gt.matrix.fromArray(ue.transform.matrix),Gt.matrix.decompose(Gt.position,Gt.quaternion,Gt.scale),Gt.projectionMatrix.fromArray(ue.projectionMatrix),Gt.projectionMatrixInverse.copy(Gt.projectionMatrix).invert(),Gt.viewport.set(qt.x,qt.y,qt.width,qt.height),I===0&&(H.matrix.copy(Gt.matrix),H.matrix.decompose(H.position,H.quaternion,H.scale)),zt===!0&&H.cameras.push(Gt)}const xt=s.enabledFeatures;if(xt&&xt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&x){h=n.getBinding();const I=h.getDepthInformation(bt[0]);I&&I.isValid&&I.texture&&m.init(I,s.renderState)}if(xt&&xt.includes("camera-access")&&x){t.state.unbindTexture(),h=n.getBinding();for(let I=0;I<bt.length;I++){const ue=bt[I].camera;if(ue){let qt=d[ue];qt||(qt=new Au,d[ue]=qt);const Gt=h.getCameraImage(ue);qt.sourceTexture=Gt}}}}for(let bt=0;bt<D.length;bt++){const zt=A[bt],xt=D[bt];zt!==null&&xt!==void 0&&xt.update(zt,nt,c||o)}_t&&_t(tt,nt),nt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:nt}),_=null}const Zt=new Fu;Zt.setAnimationLoop(ne),this.setAnimationLoop=function(tt){_t=tt},this.dispose=function(){}}}const bs=new vi,yx=new Se;function Ex(i,t){function e(m,d){m.matrixAutoUpdate===!0&&m.updateMatrix(),d.value.copy(m.matrix)}function n(m,d){d.color.getRGB(m.fogColor.value,du(i)),d.isFog?(m.fogNear.value=d.near,m.fogFar.value=d.far):d.isFogExp2&&(m.fogDensity.value=d.density)}function s(m,d,T,w,S){d.isMeshBasicMaterial||d.isMeshLambertMaterial?r(m,d):d.isMeshToonMaterial?(r(m,d),h(m,d)):d.isMeshPhongMaterial?(r(m,d),u(m,d)):d.isMeshStandardMaterial?(r(m,d),f(m,d),d.isMeshPhysicalMaterial&&p(m,d,S)):d.isMeshMatcapMaterial?(r(m,d),_(m,d)):d.isMeshDepthMaterial?r(m,d):d.isMeshDistanceMaterial?(r(m,d),x(m,d)):d.isMeshNormalMaterial?r(m,d):d.isLineBasicMaterial?(o(m,d),d.isLineDashedMaterial&&a(m,d)):d.isPointsMaterial?l(m,d,T,w):d.isSpriteMaterial?c(m,d):d.isShadowMaterial?(m.color.value.copy(d.color),m.opacity.value=d.opacity):d.isShaderMaterial&&(d.uniformsNeedUpdate=!1)}function r(m,d){m.opacity.value=d.opacity,d.color&&m.diffuse.value.copy(d.color),d.emissive&&m.emissive.value.copy(d.emissive).multiplyScalar(d.emissiveIntensity),d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.bumpMap&&(m.bumpMap.value=d.bumpMap,e(d.bumpMap,m.bumpMapTransform),m.bumpScale.value=d.bumpScale,d.side===Cn&&(m.bumpScale.value*=-1)),d.normalMap&&(m.normalMap.value=d.normalMap,e(d.normalMap,m.normalMapTransform),m.normalScale.value.copy(d.normalScale),d.side===Cn&&m.normalScale.value.negate()),d.displacementMap&&(m.displacementMap.value=d.displacementMap,e(d.displacementMap,m.displacementMapTransform),m.displacementScale.value=d.displacementScale,m.displacementBias.value=d.displacementBias),d.emissiveMap&&(m.emissiveMap.value=d.emissiveMap,e(d.emissiveMap,m.emissiveMapTransform)),d.specularMap&&(m.specularMap.value=d.specularMap,e(d.specularMap,m.specularMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest);const T=t.get(d),w=T.envMap,S=T.envMapRotation;w&&(m.envMap.value=w,bs.copy(S),bs.x*=-1,bs.y*=-1,bs.z*=-1,w.isCubeTexture&&w.isRenderTargetTexture===!1&&(bs.y*=-1,bs.z*=-1),m.envMapRotation.value.setFromMatrix4(yx.makeRotationFromEuler(bs)),m.flipEnvMap.value=w.isCubeTexture&&w.isRenderTargetTexture===!1?-1:1,m.reflectivity.value=d.reflectivity,m.ior.value=d.ior,m.refractionRatio.value=d.refractionRatio),d.lightMap&&(m.lightMap.value=d.lightMap,m.lightMapIntensity.value=d.lightMapIntensity,e(d.lightMap,m.lightMapTransform)),d.aoMap&&(m.aoMap.value=d.aoMap,m.aoMapIntensity.value=d.aoMapIntensity,e(d.aoMap,m.aoMapTransform))}function o(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform))}function a(m,d){m.dashSize.value=d.dashSize,m.totalSize.value=d.dashSize+d.gapSize,m.scale.value=d.scale}function l(m,d,T,w){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.size.value=d.size*T,m.scale.value=w*.5,d.map&&(m.map.value=d.map,e(d.map,m.uvTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function c(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.rotation.value=d.rotation,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function u(m,d){m.specular.value.copy(d.specular),m.shininess.value=Math.max(d.shininess,1e-4)}function h(m,d){d.gradientMap&&(m.gradientMap.value=d.gradientMap)}function f(m,d){m.metalness.value=d.metalness,d.metalnessMap&&(m.metalnessMap.value=d.metalnessMap,e(d.metalnessMap,m.metalnessMapTransform)),m.roughness.value=d.roughness,d.roughnessMap&&(m.roughnessMap.value=d.roughnessMap,e(d.roughnessMap,m.roughnessMapTransform)),d.envMap&&(m.envMapIntensity.value=d.envMapIntensity)}function p(m,d,T){m.ior.value=d.ior,d.sheen>0&&(m.sheenColor.value.copy(d.sheenColor).multiplyScalar(d.sheen),m.sheenRoughness.value=d.sheenRoughness,d.sheenColorMap&&(m.sheenColorMap.value=d.sheenColorMap,e(d.sheenColorMap,m.sheenColorMapTransform)),d.sheenRoughnessMap&&(m.sheenRoughnessMap.value=d.sheenRoughnessMap,e(d.sheenRoughnessMap,m.sheenRoughnessMapTransform))),d.clearcoat>0&&(m.clearcoat.value=d.clearcoat,m.clearcoatRoughness.value=d.clearcoatRoughness,d.clearcoatMap&&(m.clearcoatMap.value=d.clearcoatMap,e(d.clearcoatMap,m.clearcoatMapTransform)),d.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=d.clearcoatRoughnessMap,e(d.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),d.clearcoatNormalMap&&(m.clearcoatNormalMap.value=d.clearcoatNormalMap,e(d.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(d.clearcoatNormalScale),d.side===Cn&&m.clearcoatNormalScale.value.negate())),d.dispersion>0&&(m.dispersion.value=d.dispersion),d.iridescence>0&&(m.iridescence.value=d.iridescence,m.iridescenceIOR.value=d.iridescenceIOR,m.iridescenceThicknessMinimum.value=d.iridescenceThicknessRange[0],m.iridescenceThicknessMaximum.value=d.iridescenceThicknessRange[1],d.iridescenceMap&&(m.iridescenceMap.value=d.iridescenceMap,e(d.iridescenceMap,m.iridescenceMapTransform)),d.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=d.iridescenceThicknessMap,e(d.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),d.transmission>0&&(m.transmission.value=d.transmission,m.transmissionSamplerMap.value=T.texture,m.transmissionSamplerSize.value.set(T.width,T.height),d.transmissionMap&&(m.transmissionMap.value=d.transmissionMap,e(d.transmissionMap,m.transmissionMapTransform)),m.thickness.value=d.thickness,d.thicknessMap&&(m.thicknessMap.value=d.thicknessMap,e(d.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=d.attenuationDistance,m.attenuationColor.value.copy(d.attenuationColor)),d.anisotropy>0&&(m.anisotropyVector.value.set(d.anisotropy*Math.cos(d.anisotropyRotation),d.anisotropy*Math.sin(d.anisotropyRotation)),d.anisotropyMap&&(m.anisotropyMap.value=d.anisotropyMap,e(d.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=d.specularIntensity,m.specularColor.value.copy(d.specularColor),d.specularColorMap&&(m.specularColorMap.value=d.specularColorMap,e(d.specularColorMap,m.specularColorMapTransform)),d.specularIntensityMap&&(m.specularIntensityMap.value=d.specularIntensityMap,e(d.specularIntensityMap,m.specularIntensityMapTransform))}function _(m,d){d.matcap&&(m.matcap.value=d.matcap)}function x(m,d){const T=t.get(d).light;m.referencePosition.value.setFromMatrixPosition(T.matrixWorld),m.nearDistance.value=T.shadow.camera.near,m.farDistance.value=T.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function bx(i,t,e,n){let s={},r={},o=[];const a=i.getParameter(i.MAX_UNIFORM_BUFFER_BINDINGS);function l(T,w){const S=w.program;n.uniformBlockBinding(T,S)}function c(T,w){let S=s[T.id];S===void 0&&(_(T),S=u(T),s[T.id]=S,T.addEventListener("dispose",m));const D=w.program;n.updateUBOMapping(T,D);const A=t.render.frame;r[T.id]!==A&&(f(T),r[T.id]=A)}function u(T){const w=h();T.__bindingPointIndex=w;const S=i.createBuffer(),D=T.__size,A=T.usage;return i.bindBuffer(i.UNIFORM_BUFFER,S),i.bufferData(i.UNIFORM_BUFFER,D,A),i.bindBuffer(i.UNIFORM_BUFFER,null),i.bindBufferBase(i.UNIFORM_BUFFER,w,S),S}function h(){for(let T=0;T<a;T++)if(o.indexOf(T)===-1)return o.push(T),T;return console.error("THREE.WebGLRenderer: Maximum number of simultaneously usable uniforms groups reached."),0}function f(T){const w=s[T.id],S=T.uniforms,D=T.__cache;i.bindBuffer(i.UNIFORM_BUFFER,w);for(let A=0,U=S.length;A<U;A++){const O=Array.isArray(S[A])?S[A]:[S[A]];for(let b=0,E=O.length;b<E;b++){const C=O[b];if(p(C,A,b,D)===!0){const H=C.__offset,B=Array.isArray(C.value)?C.value:[C.value];let W=0;for(let X=0;X<B.length;X++){const $=B[X],Q=x($);typeof $=="number"||typeof $=="boolean"?(C.__data[0]=$,i.bufferSubData(i.UNIFORM_BUFFER,H+W,C.__data)):$.isMatrix3?(C.__data[0]=$.elements[0],C.__data[1]=$.elements[1],C.__data[2]=$.elements[2],C.__data[3]=0,C.__data[4]=$.elements[3],C.__data[5]=$.elements[4],C.__data[6]=$.elements[5],C.__data[7]=0,C.__data[8]=$.elements[6],C.__data[9]=$.elements[7],C.__data[10]=$.elements[8],C.__data[11]=0):($.toArray(C.__data,W),W+=Q.storage/Float32Array.BYTES_PER_ELEMENT)}i.bufferSubData(i.UNIFORM_BUFFER,H,C.__data)}}}i.bindBuffer(i.UNIFORM_BUFFER,null)}function p(T,w,S,D){const A=T.value,U=w+"_"+S;if(D[U]===void 0)return typeof A=="number"||typeof A=="boolean"?D[U]=A:D[U]=A.clone(),!0;{const O=D[U];if(typeof A=="number"||typeof A=="boolean"){if(O!==A)return D[U]=A,!0}else if(O.equals(A)===!1)return O.copy(A),!0}return!1}function _(T){const w=T.uniforms;let S=0;const D=16;for(let U=0,O=w.length;U<O;U++){const b=Array.isArray(w[U])?w[U]:[w[U]];for(let E=0,C=b.length;E<C;E++){const H=b[E],B=Array.isArray(H.value)?H.value:[H.value];for(let W=0,X=B.length;W<X;W++){const $=B[W],Q=x($),J=S%D,at=J%Q.boundary,lt=J+at;S+=at,lt!==0&&D-lt<Q.storage&&(S+=D-lt),H.__data=new Float32Array(Q.storage/Float32Array.BYTES_PER_ELEMENT),H.__offset=S,S+=Q.storage}}}const A=S%D;return A>0&&(S+=D-A),T.__size=S,T.__cache={},this}function x(T){const w={boundary:0,storage:0};return typeof T=="number"||typeof T=="boolean"?(w.boundary=4,w.storage=4):T.isVector2?(w.boundary=8,w.storage=8):T.isVector3||T.isColor?(w.boundary=16,w.storage=12):T.isVector4?(w.boundary=16,w.storage=16):T.isMatrix3?(w.boundary=48,w.storage=48):T.isMatrix4?(w.boundary=64,w.storage=64):T.isTexture?console.warn("THREE.WebGLRenderer: Texture samplers can not be part of an uniforms group."):console.warn("THREE.WebGLRenderer: Unsupported uniform value type.",T),w}function m(T){const w=T.target;w.removeEventListener("dispose",m);const S=o.indexOf(w.__bindingPointIndex);o.splice(S,1),i.deleteBuffer(s[w.id]),delete s[w.id],delete r[w.id]}function d(){for(const T in s)i.deleteBuffer(s[T]);o=[],s={},r={}}return{bind:l,update:c,dispose:d}}class Tx{constructor(t={}){const{canvas:e=Nm(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:u="default",failIfMajorPerformanceCaveat:h=!1,reversedDepthBuffer:f=!1}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;const _=new Uint32Array(4),x=new Int32Array(4);let m=null,d=null;const T=[],w=[];this.domElement=e,this.debug={checkShaderErrors:!0,onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=Vi,this.toneMappingExposure=1,this.transmissionResolutionScale=1;const S=this;let D=!1;this._outputColorSpace=Yn;let A=0,U=0,O=null,b=-1,E=null;const C=new Ve,H=new Ve;let B=null;const W=new Kt(0);let X=0,$=e.width,Q=e.height,J=1,at=null,lt=null;const vt=new Ve(0,0,$,Q),St=new Ve(0,0,$,Q);let _t=!1;const ne=new lc;let Zt=!1,tt=!1;const nt=new Se,bt=new F,zt=new Ve,xt={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0};let Jt=!1;function De(){return O===null?J:1}let I=n;function ue(y,V){return e.getContext(y,V)}try{const y={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:u,failIfMajorPerformanceCaveat:h};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${za}`),e.addEventListener("webglcontextlost",pt,!1),e.addEventListener("webglcontextrestored",Pt,!1),e.addEventListener("webglcontextcreationerror",ht,!1),I===null){const V="webgl2";if(I=ue(V,y),I===null)throw ue(V)?new Error("Error creating WebGL context with your selected attributes."):new Error("Error creating WebGL context.")}}catch(y){throw console.error("THREE.WebGLRenderer: "+y.message),y}let qt,Gt,It,ye,Ct,Vt,Fe,ve,P,v,N,K,it,et,Nt,ut,Dt,At,ot,gt,Bt,Ot,Mt,jt;function z(){qt=new N0(I),qt.init(),Ot=new _x(I,qt),Gt=new R0(I,qt,t,Ot),It=new mx(I,qt),Gt.reversedDepthBuffer&&f&&It.buffers.depth.setReversed(!0),ye=new B0(I),Ct=new nx,Vt=new gx(I,qt,It,Ct,Gt,Ot,ye),Fe=new P0(S),ve=new I0(S),P=new bg(I),Mt=new w0(I,P),v=new F0(I,P,ye,Mt),N=new k0(I,v,P,ye),ot=new z0(I,Gt,Vt),ut=new C0(Ct),K=new ex(S,Fe,ve,qt,Gt,Mt,ut),it=new Ex(S,Ct),et=new sx,Nt=new hx(qt),At=new T0(S,Fe,ve,It,N,p,l),Dt=new dx(S,N,Gt),jt=new bx(I,ye,Gt,It),gt=new A0(I,qt,ye),Bt=new O0(I,qt,ye),ye.programs=K.programs,S.capabilities=Gt,S.extensions=qt,S.properties=Ct,S.renderLists=et,S.shadowMap=Dt,S.state=It,S.info=ye}z();const ft=new Sx(S,I);this.xr=ft,this.getContext=function(){return I},this.getContextAttributes=function(){return I.getContextAttributes()},this.forceContextLoss=function(){const y=qt.get("WEBGL_lose_context");y&&y.loseContext()},this.forceContextRestore=function(){const y=qt.get("WEBGL_lose_context");y&&y.restoreContext()},this.getPixelRatio=function(){return J},this.setPixelRatio=function(y){y!==void 0&&(J=y,this.setSize($,Q,!1))},this.getSize=function(y){return y.set($,Q)},this.setSize=function(y,V,Z=!0){if(ft.isPresenting){console.warn("THREE.WebGLRenderer: Can't change size while VR device is presenting.");return}$=y,Q=V,e.width=Math.floor(y*J),e.height=Math.floor(V*J),Z===!0&&(e.style.width=y+"px",e.style.height=V+"px"),this.setViewport(0,0,y,V)},this.getDrawingBufferSize=function(y){return y.set($*J,Q*J).floor()},this.setDrawingBufferSize=function(y,V,Z){$=y,Q=V,J=Z,e.width=Math.floor(y*Z),e.height=Math.floor(V*Z),this.setViewport(0,0,y,V)},this.getCurrentViewport=function(y){return y.copy(C)},this.getViewport=function(y){return y.copy(vt)},this.setViewport=function(y,V,Z,j){y.isVector4?vt.set(y.x,y.y,y.z,y.w):vt.set(y,V,Z,j),It.viewport(C.copy(vt).multiplyScalar(J).round())},this.getScissor=function(y){return y.copy(St)},this.setScissor=function(y,V,Z,j){y.isVector4?St.set(y.x,y.y,y.z,y.w):St.set(y,V,Z,j),It.scissor(H.copy(St).multiplyScalar(J).round())},this.getScissorTest=function(){return _t},this.setScissorTest=function(y){It.setScissorTest(_t=y)},this.setOpaqueSort=function(y){at=y},this.setTransparentSort=function(y){lt=y},this.getClearColor=function(y){return y.copy(At.getClearColor())},this.setClearColor=function(){At.setClearColor(...arguments)},this.getClearAlpha=function(){return At.getClearAlpha()},this.setClearAlpha=function(){At.setClearAlpha(...arguments)},this.clear=function(y=!0,V=!0,Z=!0){let j=0;if(y){let G=!1;if(O!==null){const dt=O.texture.format;G=dt===al||dt===ol||dt===rl}if(G){const dt=O.texture.type,yt=dt===mi||dt===fs||dt===kr||dt===Vr||dt===nl||dt===il,Lt=At.getClearColor(),Tt=At.getClearAlpha(),Xt=Lt.r,Yt=Lt.g,kt=Lt.b;yt?(_[0]=Xt,_[1]=Yt,_[2]=kt,_[3]=Tt,I.clearBufferuiv(I.COLOR,0,_)):(x[0]=Xt,x[1]=Yt,x[2]=kt,x[3]=Tt,I.clearBufferiv(I.COLOR,0,x))}else j|=I.COLOR_BUFFER_BIT}V&&(j|=I.DEPTH_BUFFER_BIT),Z&&(j|=I.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),I.clear(j)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.dispose=function(){e.removeEventListener("webglcontextlost",pt,!1),e.removeEventListener("webglcontextrestored",Pt,!1),e.removeEventListener("webglcontextcreationerror",ht,!1),At.dispose(),et.dispose(),Nt.dispose(),Ct.dispose(),Fe.dispose(),ve.dispose(),N.dispose(),Mt.dispose(),jt.dispose(),K.dispose(),ft.dispose(),ft.removeEventListener("sessionstart",Pe),ft.removeEventListener("sessionend",Vn),Un.stop()};function pt(y){y.preventDefault(),console.log("THREE.WebGLRenderer: Context Lost."),D=!0}function Pt(){console.log("THREE.WebGLRenderer: Context Restored."),D=!1;const y=ye.autoReset,V=Dt.enabled,Z=Dt.autoUpdate,j=Dt.needsUpdate,G=Dt.type;z(),ye.autoReset=y,Dt.enabled=V,Dt.autoUpdate=Z,Dt.needsUpdate=j,Dt.type=G}function ht(y){console.error("THREE.WebGLRenderer: A WebGL context could not be created. Reason: ",y.statusMessage)}function rt(y){const V=y.target;V.removeEventListener("dispose",rt),Ft(V)}function Ft(y){Qt(y),Ct.remove(y)}function Qt(y){const V=Ct.get(y).programs;V!==void 0&&(V.forEach(function(Z){K.releaseProgram(Z)}),y.isShaderMaterial&&K.releaseShaderCache(y))}this.renderBufferDirect=function(y,V,Z,j,G,dt){V===null&&(V=xt);const yt=G.isMesh&&G.matrixWorld.determinant()<0,Lt=zi(y,V,Z,j,G);It.setMaterial(j,yt);let Tt=Z.index,Xt=1;if(j.wireframe===!0){if(Tt=v.getWireframeAttribute(Z),Tt===void 0)return;Xt=2}const Yt=Z.drawRange,kt=Z.attributes.position;let oe=Yt.start*Xt,me=(Yt.start+Yt.count)*Xt;dt!==null&&(oe=Math.max(oe,dt.start*Xt),me=Math.min(me,(dt.start+dt.count)*Xt)),Tt!==null?(oe=Math.max(oe,0),me=Math.min(me,Tt.count)):kt!=null&&(oe=Math.max(oe,0),me=Math.min(me,kt.count));const Le=me-oe;if(Le<0||Le===1/0)return;Mt.setup(G,j,Lt,Z,Tt);let Ee,ie=gt;if(Tt!==null&&(Ee=P.get(Tt),ie=Bt,ie.setIndex(Ee)),G.isMesh)j.wireframe===!0?(It.setLineWidth(j.wireframeLinewidth*De()),ie.setMode(I.LINES)):ie.setMode(I.TRIANGLES);else if(G.isLine){let Wt=j.linewidth;Wt===void 0&&(Wt=1),It.setLineWidth(Wt*De()),G.isLineSegments?ie.setMode(I.LINES):G.isLineLoop?ie.setMode(I.LINE_LOOP):ie.setMode(I.LINE_STRIP)}else G.isPoints?ie.setMode(I.POINTS):G.isSprite&&ie.setMode(I.TRIANGLES);if(G.isBatchedMesh)if(G._multiDrawInstances!==null)qr("THREE.WebGLRenderer: renderMultiDrawInstances has been deprecated and will be removed in r184. Append to renderMultiDraw arguments and use indirection."),ie.renderMultiDrawInstances(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount,G._multiDrawInstances);else if(qt.get("WEBGL_multi_draw"))ie.renderMultiDraw(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount);else{const Wt=G._multiDrawStarts,Ue=G._multiDrawCounts,he=G._multiDrawCount,_n=Tt?P.get(Tt).bytesPerElement:1,ns=Ct.get(j).currentProgram.getUniforms();for(let En=0;En<he;En++)ns.setValue(I,"_gl_DrawID",En),ie.render(Wt[En]/_n,Ue[En])}else if(G.isInstancedMesh)ie.renderInstances(oe,Le,G.count);else if(Z.isInstancedBufferGeometry){const Wt=Z._maxInstanceCount!==void 0?Z._maxInstanceCount:1/0,Ue=Math.min(Z.instanceCount,Wt);ie.renderInstances(oe,Le,Ue)}else ie.render(oe,Le)};function we(y,V,Z){y.transparent===!0&&y.side===Nn&&y.forceSinglePass===!1?(y.side=Cn,y.needsUpdate=!0,Us(y,V,Z),y.side=di,y.needsUpdate=!0,Us(y,V,Z),y.side=Nn):Us(y,V,Z)}this.compile=function(y,V,Z=null){Z===null&&(Z=y),d=Nt.get(Z),d.init(V),w.push(d),Z.traverseVisible(function(G){G.isLight&&G.layers.test(V.layers)&&(d.pushLight(G),G.castShadow&&d.pushShadow(G))}),y!==Z&&y.traverseVisible(function(G){G.isLight&&G.layers.test(V.layers)&&(d.pushLight(G),G.castShadow&&d.pushShadow(G))}),d.setupLights();const j=new Set;return y.traverse(function(G){if(!(G.isMesh||G.isPoints||G.isLine||G.isSprite))return;const dt=G.material;if(dt)if(Array.isArray(dt))for(let yt=0;yt<dt.length;yt++){const Lt=dt[yt];we(Lt,Z,G),j.add(Lt)}else we(dt,Z,G),j.add(dt)}),d=w.pop(),j},this.compileAsync=function(y,V,Z=null){const j=this.compile(y,V,Z);return new Promise(G=>{function dt(){if(j.forEach(function(yt){Ct.get(yt).currentProgram.isReady()&&j.delete(yt)}),j.size===0){G(y);return}setTimeout(dt,10)}qt.get("KHR_parallel_shader_compile")!==null?dt():setTimeout(dt,10)})};let pe=null;function dn(y){pe&&pe(y)}function Pe(){Un.stop()}function Vn(){Un.start()}const Un=new Fu;Un.setAnimationLoop(dn),typeof self<"u"&&Un.setContext(self),this.setAnimationLoop=function(y){pe=y,ft.setAnimationLoop(y),y===null?Un.stop():Un.start()},ft.addEventListener("sessionstart",Pe),ft.addEventListener("sessionend",Vn),this.render=function(y,V){if(V!==void 0&&V.isCamera!==!0){console.error("THREE.WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(D===!0)return;if(y.matrixWorldAutoUpdate===!0&&y.updateMatrixWorld(),V.parent===null&&V.matrixWorldAutoUpdate===!0&&V.updateMatrixWorld(),ft.enabled===!0&&ft.isPresenting===!0&&(ft.cameraAutoUpdate===!0&&ft.updateCamera(V),V=ft.getCamera()),y.isScene===!0&&y.onBeforeRender(S,y,V,O),d=Nt.get(y,w.length),d.init(V),w.push(d),nt.multiplyMatrices(V.projectionMatrix,V.matrixWorldInverse),ne.setFromProjectionMatrix(nt,_i,V.reversedDepth),tt=this.localClippingEnabled,Zt=ut.init(this.clippingPlanes,tt),m=et.get(y,T.length),m.init(),T.push(m),ft.enabled===!0&&ft.isPresenting===!0){const dt=S.xr.getDepthSensingMesh();dt!==null&&yi(dt,V,-1/0,S.sortObjects)}yi(y,V,0,S.sortObjects),m.finish(),S.sortObjects===!0&&m.sort(at,lt),Jt=ft.enabled===!1||ft.isPresenting===!1||ft.hasDepthSensing()===!1,Jt&&At.addToRenderList(m,y),this.info.render.frame++,Zt===!0&&ut.beginShadows();const Z=d.state.shadowsArray;Dt.render(Z,y,V),Zt===!0&&ut.endShadows(),this.info.autoReset===!0&&this.info.reset();const j=m.opaque,G=m.transmissive;if(d.setupLights(),V.isArrayCamera){const dt=V.cameras;if(G.length>0)for(let yt=0,Lt=dt.length;yt<Lt;yt++){const Tt=dt[yt];Bi(j,G,y,Tt)}Jt&&At.render(y);for(let yt=0,Lt=dt.length;yt<Lt;yt++){const Tt=dt[yt];yn(m,y,Tt,Tt.viewport)}}else G.length>0&&Bi(j,G,y,V),Jt&&At.render(y),yn(m,y,V);O!==null&&U===0&&(Vt.updateMultisampleRenderTarget(O),Vt.updateRenderTargetMipmap(O)),y.isScene===!0&&y.onAfterRender(S,y,V),Mt.resetDefaultState(),b=-1,E=null,w.pop(),w.length>0?(d=w[w.length-1],Zt===!0&&ut.setGlobalState(S.clippingPlanes,d.state.camera)):d=null,T.pop(),T.length>0?m=T[T.length-1]:m=null};function yi(y,V,Z,j){if(y.visible===!1)return;if(y.layers.test(V.layers)){if(y.isGroup)Z=y.renderOrder;else if(y.isLOD)y.autoUpdate===!0&&y.update(V);else if(y.isLight)d.pushLight(y),y.castShadow&&d.pushShadow(y);else if(y.isSprite){if(!y.frustumCulled||ne.intersectsSprite(y)){j&&zt.setFromMatrixPosition(y.matrixWorld).applyMatrix4(nt);const yt=N.update(y),Lt=y.material;Lt.visible&&m.push(y,yt,Lt,Z,zt.z,null)}}else if((y.isMesh||y.isLine||y.isPoints)&&(!y.frustumCulled||ne.intersectsObject(y))){const yt=N.update(y),Lt=y.material;if(j&&(y.boundingSphere!==void 0?(y.boundingSphere===null&&y.computeBoundingSphere(),zt.copy(y.boundingSphere.center)):(yt.boundingSphere===null&&yt.computeBoundingSphere(),zt.copy(yt.boundingSphere.center)),zt.applyMatrix4(y.matrixWorld).applyMatrix4(nt)),Array.isArray(Lt)){const Tt=yt.groups;for(let Xt=0,Yt=Tt.length;Xt<Yt;Xt++){const kt=Tt[Xt],oe=Lt[kt.materialIndex];oe&&oe.visible&&m.push(y,yt,oe,Z,zt.z,kt)}}else Lt.visible&&m.push(y,yt,Lt,Z,zt.z,null)}}const dt=y.children;for(let yt=0,Lt=dt.length;yt<Lt;yt++)yi(dt[yt],V,Z,j)}function yn(y,V,Z,j){const G=y.opaque,dt=y.transmissive,yt=y.transparent;d.setupLightsView(Z),Zt===!0&&ut.setGlobalState(S.clippingPlanes,Z),j&&It.viewport(C.copy(j)),G.length>0&&hi(G,V,Z),dt.length>0&&hi(dt,V,Z),yt.length>0&&hi(yt,V,Z),It.buffers.depth.setTest(!0),It.buffers.depth.setMask(!0),It.buffers.color.setMask(!0),It.setPolygonOffset(!1)}function Bi(y,V,Z,j){if((Z.isScene===!0?Z.overrideMaterial:null)!==null)return;d.state.transmissionRenderTarget[j.id]===void 0&&(d.state.transmissionRenderTarget[j.id]=new ps(1,1,{generateMipmaps:!0,type:qt.has("EXT_color_buffer_half_float")||qt.has("EXT_color_buffer_float")?Hr:mi,minFilter:us,samples:4,stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,colorSpace:fe.workingColorSpace}));const dt=d.state.transmissionRenderTarget[j.id],yt=j.viewport||C;dt.setSize(yt.z*S.transmissionResolutionScale,yt.w*S.transmissionResolutionScale);const Lt=S.getRenderTarget(),Tt=S.getActiveCubeFace(),Xt=S.getActiveMipmapLevel();S.setRenderTarget(dt),S.getClearColor(W),X=S.getClearAlpha(),X<1&&S.setClearColor(16777215,.5),S.clear(),Jt&&At.render(Z);const Yt=S.toneMapping;S.toneMapping=Vi;const kt=j.viewport;if(j.viewport!==void 0&&(j.viewport=void 0),d.setupLightsView(j),Zt===!0&&ut.setGlobalState(S.clippingPlanes,j),hi(y,Z,j),Vt.updateMultisampleRenderTarget(dt),Vt.updateRenderTargetMipmap(dt),qt.has("WEBGL_multisampled_render_to_texture")===!1){let oe=!1;for(let me=0,Le=V.length;me<Le;me++){const Ee=V[me],ie=Ee.object,Wt=Ee.geometry,Ue=Ee.material,he=Ee.group;if(Ue.side===Nn&&ie.layers.test(j.layers)){const _n=Ue.side;Ue.side=Cn,Ue.needsUpdate=!0,po(ie,Z,j,Wt,Ue,he),Ue.side=_n,Ue.needsUpdate=!0,oe=!0}}oe===!0&&(Vt.updateMultisampleRenderTarget(dt),Vt.updateRenderTargetMipmap(dt))}S.setRenderTarget(Lt,Tt,Xt),S.setClearColor(W,X),kt!==void 0&&(j.viewport=kt),S.toneMapping=Yt}function hi(y,V,Z){const j=V.isScene===!0?V.overrideMaterial:null;for(let G=0,dt=y.length;G<dt;G++){const yt=y[G],Lt=yt.object,Tt=yt.geometry,Xt=yt.group;let Yt=yt.material;Yt.allowOverride===!0&&j!==null&&(Yt=j),Lt.layers.test(Z.layers)&&po(Lt,V,Z,Tt,Yt,Xt)}}function po(y,V,Z,j,G,dt){y.onBeforeRender(S,V,Z,j,G,dt),y.modelViewMatrix.multiplyMatrices(Z.matrixWorldInverse,y.matrixWorld),y.normalMatrix.getNormalMatrix(y.modelViewMatrix),G.onBeforeRender(S,V,Z,j,y,dt),G.transparent===!0&&G.side===Nn&&G.forceSinglePass===!1?(G.side=Cn,G.needsUpdate=!0,S.renderBufferDirect(Z,V,j,G,y,dt),G.side=di,G.needsUpdate=!0,S.renderBufferDirect(Z,V,j,G,y,dt),G.side=Nn):S.renderBufferDirect(Z,V,j,G,y,dt),y.onAfterRender(S,V,Z,j,G,dt)}function Us(y,V,Z){V.isScene!==!0&&(V=xt);const j=Ct.get(y),G=d.state.lights,dt=d.state.shadowsArray,yt=G.state.version,Lt=K.getParameters(y,G.state,dt,V,Z),Tt=K.getProgramCacheKey(Lt);let Xt=j.programs;j.environment=y.isMeshStandardMaterial?V.environment:null,j.fog=V.fog,j.envMap=(y.isMeshStandardMaterial?ve:Fe).get(y.envMap||j.environment),j.envMapRotation=j.environment!==null&&y.envMap===null?V.environmentRotation:y.envMapRotation,Xt===void 0&&(y.addEventListener("dispose",rt),Xt=new Map,j.programs=Xt);let Yt=Xt.get(Tt);if(Yt!==void 0){if(j.currentProgram===Yt&&j.lightsStateVersion===yt)return Da(y,Lt),Yt}else Lt.uniforms=K.getUniforms(y),y.onBeforeCompile(Lt,S),Yt=K.acquireProgram(Lt,Tt),Xt.set(Tt,Yt),j.uniforms=Lt.uniforms;const kt=j.uniforms;return(!y.isShaderMaterial&&!y.isRawShaderMaterial||y.clipping===!0)&&(kt.clippingPlanes=ut.uniform),Da(y,Lt),j.needsLights=Is(y),j.lightsStateVersion=yt,j.needsLights&&(kt.ambientLightColor.value=G.state.ambient,kt.lightProbe.value=G.state.probe,kt.directionalLights.value=G.state.directional,kt.directionalLightShadows.value=G.state.directionalShadow,kt.spotLights.value=G.state.spot,kt.spotLightShadows.value=G.state.spotShadow,kt.rectAreaLights.value=G.state.rectArea,kt.ltc_1.value=G.state.rectAreaLTC1,kt.ltc_2.value=G.state.rectAreaLTC2,kt.pointLights.value=G.state.point,kt.pointLightShadows.value=G.state.pointShadow,kt.hemisphereLights.value=G.state.hemi,kt.directionalShadowMap.value=G.state.directionalShadowMap,kt.directionalShadowMatrix.value=G.state.directionalShadowMatrix,kt.spotShadowMap.value=G.state.spotShadowMap,kt.spotLightMatrix.value=G.state.spotLightMatrix,kt.spotLightMap.value=G.state.spotLightMap,kt.pointShadowMap.value=G.state.pointShadowMap,kt.pointShadowMatrix.value=G.state.pointShadowMatrix),j.currentProgram=Yt,j.uniformsList=null,Yt}function Pa(y){if(y.uniformsList===null){const V=y.currentProgram.getUniforms();y.uniformsList=sa.seqWithValue(V.seq,y.uniforms)}return y.uniformsList}function Da(y,V){const Z=Ct.get(y);Z.outputColorSpace=V.outputColorSpace,Z.batching=V.batching,Z.batchingColor=V.batchingColor,Z.instancing=V.instancing,Z.instancingColor=V.instancingColor,Z.instancingMorph=V.instancingMorph,Z.skinning=V.skinning,Z.morphTargets=V.morphTargets,Z.morphNormals=V.morphNormals,Z.morphColors=V.morphColors,Z.morphTargetsCount=V.morphTargetsCount,Z.numClippingPlanes=V.numClippingPlanes,Z.numIntersection=V.numClipIntersection,Z.vertexAlphas=V.vertexAlphas,Z.vertexTangents=V.vertexTangents,Z.toneMapping=V.toneMapping}function zi(y,V,Z,j,G){V.isScene!==!0&&(V=xt),Vt.resetTextureUnits();const dt=V.fog,yt=j.isMeshStandardMaterial?V.environment:null,Lt=O===null?S.outputColorSpace:O.isXRRenderTarget===!0?O.texture.colorSpace:Xs,Tt=(j.isMeshStandardMaterial?ve:Fe).get(j.envMap||yt),Xt=j.vertexColors===!0&&!!Z.attributes.color&&Z.attributes.color.itemSize===4,Yt=!!Z.attributes.tangent&&(!!j.normalMap||j.anisotropy>0),kt=!!Z.morphAttributes.position,oe=!!Z.morphAttributes.normal,me=!!Z.morphAttributes.color;let Le=Vi;j.toneMapped&&(O===null||O.isXRRenderTarget===!0)&&(Le=S.toneMapping);const Ee=Z.morphAttributes.position||Z.morphAttributes.normal||Z.morphAttributes.color,ie=Ee!==void 0?Ee.length:0,Wt=Ct.get(j),Ue=d.state.lights;if(Zt===!0&&(tt===!0||y!==E)){const on=y===E&&j.id===b;ut.setState(j,y,on)}let he=!1;j.version===Wt.__version?(Wt.needsLights&&Wt.lightsStateVersion!==Ue.state.version||Wt.outputColorSpace!==Lt||G.isBatchedMesh&&Wt.batching===!1||!G.isBatchedMesh&&Wt.batching===!0||G.isBatchedMesh&&Wt.batchingColor===!0&&G.colorTexture===null||G.isBatchedMesh&&Wt.batchingColor===!1&&G.colorTexture!==null||G.isInstancedMesh&&Wt.instancing===!1||!G.isInstancedMesh&&Wt.instancing===!0||G.isSkinnedMesh&&Wt.skinning===!1||!G.isSkinnedMesh&&Wt.skinning===!0||G.isInstancedMesh&&Wt.instancingColor===!0&&G.instanceColor===null||G.isInstancedMesh&&Wt.instancingColor===!1&&G.instanceColor!==null||G.isInstancedMesh&&Wt.instancingMorph===!0&&G.morphTexture===null||G.isInstancedMesh&&Wt.instancingMorph===!1&&G.morphTexture!==null||Wt.envMap!==Tt||j.fog===!0&&Wt.fog!==dt||Wt.numClippingPlanes!==void 0&&(Wt.numClippingPlanes!==ut.numPlanes||Wt.numIntersection!==ut.numIntersection)||Wt.vertexAlphas!==Xt||Wt.vertexTangents!==Yt||Wt.morphTargets!==kt||Wt.morphNormals!==oe||Wt.morphColors!==me||Wt.toneMapping!==Le||Wt.morphTargetsCount!==ie)&&(he=!0):(he=!0,Wt.__version=j.version);let _n=Wt.currentProgram;he===!0&&(_n=Us(j,V,G));let ns=!1,En=!1,Ns=!1;const Ie=_n.getUniforms(),bn=Wt.uniforms;if(It.useProgram(_n.program)&&(ns=!0,En=!0,Ns=!0),j.id!==b&&(b=j.id,En=!0),ns||E!==y){It.buffers.depth.getReversed()&&y.reversedDepth!==!0&&(y._reversedDepth=!0,y.updateProjectionMatrix()),Ie.setValue(I,"projectionMatrix",y.projectionMatrix),Ie.setValue(I,"viewMatrix",y.matrixWorldInverse);const an=Ie.map.cameraPosition;an!==void 0&&an.setValue(I,bt.setFromMatrixPosition(y.matrixWorld)),Gt.logarithmicDepthBuffer&&Ie.setValue(I,"logDepthBufFC",2/(Math.log(y.far+1)/Math.LN2)),(j.isMeshPhongMaterial||j.isMeshToonMaterial||j.isMeshLambertMaterial||j.isMeshBasicMaterial||j.isMeshStandardMaterial||j.isShaderMaterial)&&Ie.setValue(I,"isOrthographic",y.isOrthographicCamera===!0),E!==y&&(E=y,En=!0,Ns=!0)}if(G.isSkinnedMesh){Ie.setOptional(I,G,"bindMatrix"),Ie.setOptional(I,G,"bindMatrixInverse");const on=G.skeleton;on&&(on.boneTexture===null&&on.computeBoneTexture(),Ie.setValue(I,"boneTexture",on.boneTexture,Vt))}G.isBatchedMesh&&(Ie.setOptional(I,G,"batchingTexture"),Ie.setValue(I,"batchingTexture",G._matricesTexture,Vt),Ie.setOptional(I,G,"batchingIdTexture"),Ie.setValue(I,"batchingIdTexture",G._indirectTexture,Vt),Ie.setOptional(I,G,"batchingColorTexture"),G._colorsTexture!==null&&Ie.setValue(I,"batchingColorTexture",G._colorsTexture,Vt));const In=Z.morphAttributes;if((In.position!==void 0||In.normal!==void 0||In.color!==void 0)&&ot.update(G,Z,_n),(En||Wt.receiveShadow!==G.receiveShadow)&&(Wt.receiveShadow=G.receiveShadow,Ie.setValue(I,"receiveShadow",G.receiveShadow)),j.isMeshGouraudMaterial&&j.envMap!==null&&(bn.envMap.value=Tt,bn.flipEnvMap.value=Tt.isCubeTexture&&Tt.isRenderTargetTexture===!1?-1:1),j.isMeshStandardMaterial&&j.envMap===null&&V.environment!==null&&(bn.envMapIntensity.value=V.environmentIntensity),En&&(Ie.setValue(I,"toneMappingExposure",S.toneMappingExposure),Wt.needsLights&&lh(bn,Ns),dt&&j.fog===!0&&it.refreshFogUniforms(bn,dt),it.refreshMaterialUniforms(bn,j,J,Q,d.state.transmissionRenderTarget[y.id]),sa.upload(I,Pa(Wt),bn,Vt)),j.isShaderMaterial&&j.uniformsNeedUpdate===!0&&(sa.upload(I,Pa(Wt),bn,Vt),j.uniformsNeedUpdate=!1),j.isSpriteMaterial&&Ie.setValue(I,"center",G.center),Ie.setValue(I,"modelViewMatrix",G.modelViewMatrix),Ie.setValue(I,"normalMatrix",G.normalMatrix),Ie.setValue(I,"modelMatrix",G.matrixWorld),j.isShaderMaterial||j.isRawShaderMaterial){const on=j.uniformsGroups;for(let an=0,is=on.length;an<is;an++){const Qn=on[an];jt.update(Qn,_n),jt.bind(Qn,_n)}}return _n}function lh(y,V){y.ambientLightColor.needsUpdate=V,y.lightProbe.needsUpdate=V,y.directionalLights.needsUpdate=V,y.directionalLightShadows.needsUpdate=V,y.pointLights.needsUpdate=V,y.pointLightShadows.needsUpdate=V,y.spotLights.needsUpdate=V,y.spotLightShadows.needsUpdate=V,y.rectAreaLights.needsUpdate=V,y.hemisphereLights.needsUpdate=V}function Is(y){return y.isMeshLambertMaterial||y.isMeshToonMaterial||y.isMeshPhongMaterial||y.isMeshStandardMaterial||y.isShadowMaterial||y.isShaderMaterial&&y.lights===!0}this.getActiveCubeFace=function(){return A},this.getActiveMipmapLevel=function(){return U},this.getRenderTarget=function(){return O},this.setRenderTargetTextures=function(y,V,Z){const j=Ct.get(y);j.__autoAllocateDepthBuffer=y.resolveDepthBuffer===!1,j.__autoAllocateDepthBuffer===!1&&(j.__useRenderToTexture=!1),Ct.get(y.texture).__webglTexture=V,Ct.get(y.depthTexture).__webglTexture=j.__autoAllocateDepthBuffer?void 0:Z,j.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(y,V){const Z=Ct.get(y);Z.__webglFramebuffer=V,Z.__useDefaultFramebuffer=V===void 0};const La=I.createFramebuffer();this.setRenderTarget=function(y,V=0,Z=0){O=y,A=V,U=Z;let j=!0,G=null,dt=!1,yt=!1;if(y){const Tt=Ct.get(y);if(Tt.__useDefaultFramebuffer!==void 0)It.bindFramebuffer(I.FRAMEBUFFER,null),j=!1;else if(Tt.__webglFramebuffer===void 0)Vt.setupRenderTarget(y);else if(Tt.__hasExternalTextures)Vt.rebindTextures(y,Ct.get(y.texture).__webglTexture,Ct.get(y.depthTexture).__webglTexture);else if(y.depthBuffer){const kt=y.depthTexture;if(Tt.__boundDepthTexture!==kt){if(kt!==null&&Ct.has(kt)&&(y.width!==kt.image.width||y.height!==kt.image.height))throw new Error("WebGLRenderTarget: Attached DepthTexture is initialized to the incorrect size.");Vt.setupDepthRenderbuffer(y)}}const Xt=y.texture;(Xt.isData3DTexture||Xt.isDataArrayTexture||Xt.isCompressedArrayTexture)&&(yt=!0);const Yt=Ct.get(y).__webglFramebuffer;y.isWebGLCubeRenderTarget?(Array.isArray(Yt[V])?G=Yt[V][Z]:G=Yt[V],dt=!0):y.samples>0&&Vt.useMultisampledRTT(y)===!1?G=Ct.get(y).__webglMultisampledFramebuffer:Array.isArray(Yt)?G=Yt[Z]:G=Yt,C.copy(y.viewport),H.copy(y.scissor),B=y.scissorTest}else C.copy(vt).multiplyScalar(J).floor(),H.copy(St).multiplyScalar(J).floor(),B=_t;if(Z!==0&&(G=La),It.bindFramebuffer(I.FRAMEBUFFER,G)&&j&&It.drawBuffers(y,G),It.viewport(C),It.scissor(H),It.setScissorTest(B),dt){const Tt=Ct.get(y.texture);I.framebufferTexture2D(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_CUBE_MAP_POSITIVE_X+V,Tt.__webglTexture,Z)}else if(yt){const Tt=V;for(let Xt=0;Xt<y.textures.length;Xt++){const Yt=Ct.get(y.textures[Xt]);I.framebufferTextureLayer(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0+Xt,Yt.__webglTexture,Z,Tt)}}else if(y!==null&&Z!==0){const Tt=Ct.get(y.texture);I.framebufferTexture2D(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,Tt.__webglTexture,Z)}b=-1},this.readRenderTargetPixels=function(y,V,Z,j,G,dt,yt,Lt=0){if(!(y&&y.isWebGLRenderTarget)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Tt=Ct.get(y).__webglFramebuffer;if(y.isWebGLCubeRenderTarget&&yt!==void 0&&(Tt=Tt[yt]),Tt){It.bindFramebuffer(I.FRAMEBUFFER,Tt);try{const Xt=y.textures[Lt],Yt=Xt.format,kt=Xt.type;if(!Gt.textureFormatReadable(Yt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(!Gt.textureTypeReadable(kt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}V>=0&&V<=y.width-j&&Z>=0&&Z<=y.height-G&&(y.textures.length>1&&I.readBuffer(I.COLOR_ATTACHMENT0+Lt),I.readPixels(V,Z,j,G,Ot.convert(Yt),Ot.convert(kt),dt))}finally{const Xt=O!==null?Ct.get(O).__webglFramebuffer:null;It.bindFramebuffer(I.FRAMEBUFFER,Xt)}}},this.readRenderTargetPixelsAsync=async function(y,V,Z,j,G,dt,yt,Lt=0){if(!(y&&y.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Tt=Ct.get(y).__webglFramebuffer;if(y.isWebGLCubeRenderTarget&&yt!==void 0&&(Tt=Tt[yt]),Tt)if(V>=0&&V<=y.width-j&&Z>=0&&Z<=y.height-G){It.bindFramebuffer(I.FRAMEBUFFER,Tt);const Xt=y.textures[Lt],Yt=Xt.format,kt=Xt.type;if(!Gt.textureFormatReadable(Yt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(!Gt.textureTypeReadable(kt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");const oe=I.createBuffer();I.bindBuffer(I.PIXEL_PACK_BUFFER,oe),I.bufferData(I.PIXEL_PACK_BUFFER,dt.byteLength,I.STREAM_READ),y.textures.length>1&&I.readBuffer(I.COLOR_ATTACHMENT0+Lt),I.readPixels(V,Z,j,G,Ot.convert(Yt),Ot.convert(kt),0);const me=O!==null?Ct.get(O).__webglFramebuffer:null;It.bindFramebuffer(I.FRAMEBUFFER,me);const Le=I.fenceSync(I.SYNC_GPU_COMMANDS_COMPLETE,0);return I.flush(),await Fm(I,Le,4),I.bindBuffer(I.PIXEL_PACK_BUFFER,oe),I.getBufferSubData(I.PIXEL_PACK_BUFFER,0,dt),I.deleteBuffer(oe),I.deleteSync(Le),dt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(y,V=null,Z=0){const j=Math.pow(2,-Z),G=Math.floor(y.image.width*j),dt=Math.floor(y.image.height*j),yt=V!==null?V.x:0,Lt=V!==null?V.y:0;Vt.setTexture2D(y,0),I.copyTexSubImage2D(I.TEXTURE_2D,Z,0,0,yt,Lt,G,dt),It.unbindTexture()};const Ei=I.createFramebuffer(),en=I.createFramebuffer();this.copyTextureToTexture=function(y,V,Z=null,j=null,G=0,dt=null){dt===null&&(G!==0?(qr("WebGLRenderer: copyTextureToTexture function signature has changed to support src and dst mipmap levels."),dt=G,G=0):dt=0);let yt,Lt,Tt,Xt,Yt,kt,oe,me,Le;const Ee=y.isCompressedTexture?y.mipmaps[dt]:y.image;if(Z!==null)yt=Z.max.x-Z.min.x,Lt=Z.max.y-Z.min.y,Tt=Z.isBox3?Z.max.z-Z.min.z:1,Xt=Z.min.x,Yt=Z.min.y,kt=Z.isBox3?Z.min.z:0;else{const In=Math.pow(2,-G);yt=Math.floor(Ee.width*In),Lt=Math.floor(Ee.height*In),y.isDataArrayTexture?Tt=Ee.depth:y.isData3DTexture?Tt=Math.floor(Ee.depth*In):Tt=1,Xt=0,Yt=0,kt=0}j!==null?(oe=j.x,me=j.y,Le=j.z):(oe=0,me=0,Le=0);const ie=Ot.convert(V.format),Wt=Ot.convert(V.type);let Ue;V.isData3DTexture?(Vt.setTexture3D(V,0),Ue=I.TEXTURE_3D):V.isDataArrayTexture||V.isCompressedArrayTexture?(Vt.setTexture2DArray(V,0),Ue=I.TEXTURE_2D_ARRAY):(Vt.setTexture2D(V,0),Ue=I.TEXTURE_2D),I.pixelStorei(I.UNPACK_FLIP_Y_WEBGL,V.flipY),I.pixelStorei(I.UNPACK_PREMULTIPLY_ALPHA_WEBGL,V.premultiplyAlpha),I.pixelStorei(I.UNPACK_ALIGNMENT,V.unpackAlignment);const he=I.getParameter(I.UNPACK_ROW_LENGTH),_n=I.getParameter(I.UNPACK_IMAGE_HEIGHT),ns=I.getParameter(I.UNPACK_SKIP_PIXELS),En=I.getParameter(I.UNPACK_SKIP_ROWS),Ns=I.getParameter(I.UNPACK_SKIP_IMAGES);I.pixelStorei(I.UNPACK_ROW_LENGTH,Ee.width),I.pixelStorei(I.UNPACK_IMAGE_HEIGHT,Ee.height),I.pixelStorei(I.UNPACK_SKIP_PIXELS,Xt),I.pixelStorei(I.UNPACK_SKIP_ROWS,Yt),I.pixelStorei(I.UNPACK_SKIP_IMAGES,kt);const Ie=y.isDataArrayTexture||y.isData3DTexture,bn=V.isDataArrayTexture||V.isData3DTexture;if(y.isDepthTexture){const In=Ct.get(y),on=Ct.get(V),an=Ct.get(In.__renderTarget),is=Ct.get(on.__renderTarget);It.bindFramebuffer(I.READ_FRAMEBUFFER,an.__webglFramebuffer),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,is.__webglFramebuffer);for(let Qn=0;Qn<Tt;Qn++)Ie&&(I.framebufferTextureLayer(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Ct.get(y).__webglTexture,G,kt+Qn),I.framebufferTextureLayer(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Ct.get(V).__webglTexture,dt,Le+Qn)),I.blitFramebuffer(Xt,Yt,yt,Lt,oe,me,yt,Lt,I.DEPTH_BUFFER_BIT,I.NEAREST);It.bindFramebuffer(I.READ_FRAMEBUFFER,null),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,null)}else if(G!==0||y.isRenderTargetTexture||Ct.has(y)){const In=Ct.get(y),on=Ct.get(V);It.bindFramebuffer(I.READ_FRAMEBUFFER,Ei),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,en);for(let an=0;an<Tt;an++)Ie?I.framebufferTextureLayer(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,In.__webglTexture,G,kt+an):I.framebufferTexture2D(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,In.__webglTexture,G),bn?I.framebufferTextureLayer(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,on.__webglTexture,dt,Le+an):I.framebufferTexture2D(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,on.__webglTexture,dt),G!==0?I.blitFramebuffer(Xt,Yt,yt,Lt,oe,me,yt,Lt,I.COLOR_BUFFER_BIT,I.NEAREST):bn?I.copyTexSubImage3D(Ue,dt,oe,me,Le+an,Xt,Yt,yt,Lt):I.copyTexSubImage2D(Ue,dt,oe,me,Xt,Yt,yt,Lt);It.bindFramebuffer(I.READ_FRAMEBUFFER,null),It.bindFramebuffer(I.DRAW_FRAMEBUFFER,null)}else bn?y.isDataTexture||y.isData3DTexture?I.texSubImage3D(Ue,dt,oe,me,Le,yt,Lt,Tt,ie,Wt,Ee.data):V.isCompressedArrayTexture?I.compressedTexSubImage3D(Ue,dt,oe,me,Le,yt,Lt,Tt,ie,Ee.data):I.texSubImage3D(Ue,dt,oe,me,Le,yt,Lt,Tt,ie,Wt,Ee):y.isDataTexture?I.texSubImage2D(I.TEXTURE_2D,dt,oe,me,yt,Lt,ie,Wt,Ee.data):y.isCompressedTexture?I.compressedTexSubImage2D(I.TEXTURE_2D,dt,oe,me,Ee.width,Ee.height,ie,Ee.data):I.texSubImage2D(I.TEXTURE_2D,dt,oe,me,yt,Lt,ie,Wt,Ee);I.pixelStorei(I.UNPACK_ROW_LENGTH,he),I.pixelStorei(I.UNPACK_IMAGE_HEIGHT,_n),I.pixelStorei(I.UNPACK_SKIP_PIXELS,ns),I.pixelStorei(I.UNPACK_SKIP_ROWS,En),I.pixelStorei(I.UNPACK_SKIP_IMAGES,Ns),dt===0&&V.generateMipmaps&&I.generateMipmap(Ue),It.unbindTexture()},this.initRenderTarget=function(y){Ct.get(y).__webglFramebuffer===void 0&&Vt.setupRenderTarget(y)},this.initTexture=function(y){y.isCubeTexture?Vt.setTextureCube(y,0):y.isData3DTexture?Vt.setTexture3D(y,0):y.isDataArrayTexture||y.isCompressedArrayTexture?Vt.setTexture2DArray(y,0):Vt.setTexture2D(y,0),It.unbindTexture()},this.resetState=function(){A=0,U=0,O=null,It.reset(),Mt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return _i}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;const e=this.getContext();e.drawingBufferColorSpace=fe._getDrawingBufferColorSpace(t),e.unpackColorSpace=fe._getUnpackColorSpace()}}const Ts=[{key:"displacement",text:"displacement",unit:"m"},{key:"energy",text:"strain energy density",unit:"J/m³"},{key:"stress",text:"von Mises stress",unit:"Pa"}],oa=["#5560c8","#3392bd","#45bf85","#fde725"].map(i=>new Kt(i));function ff(i,t){const e=Math.min(Math.max(i,0),1)*(oa.length-1),n=Math.min(Math.floor(e),oa.length-2);return t.copy(oa[n]).lerp(oa[n+1],e-n)}const df={polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1},Sc=new Kt;class wx{constructor(t,e){this.motion=t,this.group=new Kn,this.shown=[],this.plain=new rr({vertexColors:!0,side:Nn,...df}),this.lines=new xs({color:"#000000",transparent:!0,opacity:.25}),this.last="",this.frame=0;const{surfaces:n}=t.scene;let s=0;n.forEach(r=>{const o=new Ye,a=new nn(new Float32Array(3*r.vertices),3);o.setAttribute("position",a),o.setAttribute("color",new nn(new Float32Array(3*r.vertices),3)),o.setIndex(new nn(r.triangles,1));const l=new fr({vertexColors:!0,side:Nn,flatShading:!0,...df}),c=new Dn(o,l),u=new Ye;u.setAttribute("position",a),u.setIndex(new nn(Ax(r.triangles),1));const h=new no(u,this.lines);c.frustumCulled=h.frustumCulled=!1,this.group.add(c,h),this.shown.push({mesh:c,lit:l,edges:h,geometry:o,name:r.name,vertices:r.vertices,first:s,largest:r.largest,colour:new Kt(e.body(r.name))}),s+=r.vertices}),this.total=s,this.visible=n.map(()=>!0),this.any=s>0}largest(t){const e=Ts.findIndex(({key:n})=>n===t);return e<0?0:Math.max(0,...this.shown.map(({largest:n})=>n[e]))}place(t,e){const{time:n,surfacePosition:s,surfaceValue:r}=this.motion;if(!this.any||n.length===0)return;const o=zr(n,t),a=Math.min(o+1,n.length-1),l=n[a]-n[o],c=l>0?Math.min(Math.max((t-n[o])/l,0),1):0,u=`${o} ${c} ${e}`;if(u===this.last)return;this.last=u,this.frame=o;const h=Ts.findIndex(({key:p})=>p===e),f=this.largest(e)||1;for(const{mesh:p,lit:_,geometry:x,vertices:m,first:d,largest:T,colour:w}of this.shown){p.material=h<0?_:this.plain;const S=x.getAttribute("position"),D=x.getAttribute("color"),[A,U]=[S.array,D.array],[O,b]=[o,a].map(B=>3*(B*this.total+d));for(let B=0;B<3*m;B++)A[B]=s[O+B]+c*(s[b+B]-s[O+B]);const E=h<0?0:T[h]/(32767*f),[C,H]=[O,b].map(B=>B+h*m);for(let B=0;B<m;B++)h<0?Sc.copy(w):ff(E*((1-c)*r[C+B]+c*r[H+B]),Sc),Sc.toArray(U,3*B);S.needsUpdate=D.needsUpdate=!0}}pick(t,e){let n=null;for(const{mesh:s,geometry:r,name:o,vertices:a,first:l,largest:c}of this.shown){if(!s.visible)continue;r.computeBoundingSphere();const u=t.intersectObject(s)[0];if(!u?.face||n&&n.distance<u.distance)continue;const h=Ts.findIndex(({key:p})=>p===e);let f="";if(h>=0){const p=3*(this.frame*this.total+l)+h*a+u.face.a;f=`${Ts[h].text} ${Rn(this.motion.surfaceValue[p]/32767*c[h],3)} ${Ts[h].unit}`}n={distance:u.distance,name:o,value:f}}return n}show(t,e){this.shown.forEach(({mesh:n,edges:s},r)=>{n.visible=t&&this.visible[r],s.visible=e&&this.visible[r]})}}function Ax(i){const t=[],e=new Set,n=i.reduce((s,r)=>Math.max(s,r),0)+1;for(let s=0;s+2<i.length;s+=3)for(let r=0;r<3;r++){const[o,a]=[i[s+r],i[s+(r+1)%3]],l=Math.min(o,a)*n+Math.max(o,a);e.has(l)||(e.add(l),t.push(o,a))}return new Uint32Array(t)}const aa=300,pf=[{key:"bodies",text:"bodies",title:"Surfaces of bodies",shortcut:"b"},{key:"edges",text:"edges",title:"Edges of bodies",shortcut:"e"},{key:"directors",text:"directors",title:"Directors d1 (red), d2 (green), d3 (blue) of rigid bodies",shortcut:"d"},{key:"parts",text:"convex parts",title:"A colour for every convex part",shortcut:"p"},{key:"contacts",text:"contacts",title:"Contact points around the present time",shortcut:"c"},{key:"impulses",text:"impulses, forces",title:"Arrows on both bodies: impulses of impacts, forces of resting contacts",shortcut:"i"},{key:"traces",text:"traces",title:"Paths of the centres of mass",shortcut:"t"},{key:"ghosts",text:"ghosts",title:"Time lapse: images at other times",shortcut:"g"},{key:"joints",text:"joints, limits",title:"Joints and their limits, rods, springs, charges",shortcut:"j"},{key:"walls",text:"walls, grid",title:"Half-spaces, or a grid where there are none",shortcut:"w"},{key:"labels",text:"names",title:"Names of bodies",shortcut:"n"}];class Rx{constructor(t,e,n,s){this.stage=t,this.show=e,this.channels=n,this.changed=s,this.boxes=new Map,this.side=0;const r=Y("div",{class:"toggles",role:"group","aria-label":"What is shown"});for(const{key:a,text:l,title:c,shortcut:u}of pf){const h=Ba(l,e[a],p=>this.set(a,p),u?`${c} (${u})`:c);h.dataset.show=a;const f=h.querySelector("input");f.disabled=!this.available(a),this.boxes.set(a,f),r.append(h)}const o=t.views[0].motion.scene.bodies;this.followSelect=Y("select",{"aria-label":"Follow a body",change:()=>this.follow(this.followSelect.value)}),this.followSelect.append(Y("option",{value:""},"no body")),o.forEach((a,l)=>{a.slot!==null&&l<aa&&this.followSelect.append(Y("option",{value:l},a.name))}),this.root=Y("div",{class:"options"},r,Y("div",{class:"camera"},Y("label",{},"follow ",this.followSelect),vn("Fit","Show the whole motion",()=>t.fit(),"r"),vn("Other side","Look from the next side",()=>this.nextSide(),"v")),this.scale(),this.bodyList())}scale(){const{views:t}=this.stage,e=Y("div",{class:"surface-scale"});if(!t.some(l=>l.surfaces.any))return e;const n=Y("span",{class:"scale-bar","aria-hidden":"true"}),s=[0,.25,.5,.75,1].map(l=>`#${ff(l,new Kt).getHexString()}`);n.style.background=`linear-gradient(to right, ${s.join(", ")})`;const r=Y("span",{class:"scale-most"}),o=Y("span",{class:"scale-legend"},"0 ",n," ",r);o.hidden=!0;const a=Y("select",{"aria-label":"Colour of elastic bodies",change:()=>{const l=a.value;for(const h of t)h.value=l;const c=Ts.find(({key:h})=>h===l);o.hidden=!c;const u=Math.max(...t.map(h=>h.surfaces.largest(l)));r.textContent=c?`${u.toPrecision(3)} ${c.unit}`:"",this.changed()}});a.append(Y("option",{value:""},"bodies"));for(const{key:l,text:c}of Ts)a.append(Y("option",{value:l},c));return e.append(Y("label",{},"colour elastic bodies by ",a),o),e}available(t){const{views:e}=this.stage;switch(t){case"directors":return e.some(n=>n.motion.scene.bodies.some(s=>s.kind==="rigid"));case"parts":return e.some(n=>n.bodies.hasParts);case"contacts":case"impulses":return e.some(n=>n.motion.contacts.count>0);case"joints":return e.some(n=>n.links.any);default:return!0}}set(t,e){this.show[t]=e,this.boxes.get(t).checked=e,this.changed()}press(t){const e=pf.find(({shortcut:n})=>n===t);return e?(this.set(e.key,!this.show[e.key]),!0):!1}follow(t){this.stage.setFollow(t===""?null:Number(t)),this.changed()}followNext(){const t=this.followSelect.options.length;this.followSelect.selectedIndex=(this.followSelect.selectedIndex+1)%t,this.follow(this.followSelect.value)}nextSide(){const t=this.stage.camera.up.clone(),e=this.stage.camera.position.clone().set(...this.stage.views[0].motion.scene.view),n=e.clone().addScaledVector(t,-e.dot(t));n.lengthSq()<1e-4&&n.set(1,0,0).addScaledVector(t,-t.x),n.normalize();const s=t.clone().cross(n),r=[n.clone(),s.clone(),t.clone().addScaledVector(n,.02),n.clone().addScaledVector(s,.8).addScaledVector(t,.6),e];this.stage.fit(r[this.side++%r.length])}bodyList(){const t=this.stage.views,{bodies:e,surfaces:n}=t[0].motion.scene,s=[...e.map(u=>u.name),...n.map(u=>u.name)],r=Y("div",{class:"bodies",role:"group","aria-label":"Bodies"}),o=[],a=(u,h)=>{for(const f of t)f.motion.scene.bodies.forEach((p,_)=>{p.name===u&&(f.bodies.visible[_]=h)}),f.motion.scene.surfaces.forEach((p,_)=>{p.name===u&&(f.surfaces.visible[_]=h)})};for(const u of s.slice(0,aa)){const h=Ba(u,!0,p=>{a(u,p),this.changed()}),f=Y("span",{class:"dot","aria-hidden":"true"});f.style.background=this.channels.body(u),h.insertBefore(f,h.lastChild),o.push(h.querySelector("input")),r.append(h)}const l=u=>{for(const h of t)h.bodies.visible.fill(u),h.surfaces.visible.fill(u);for(const h of o)h.checked=u;this.changed()},c=s.length>aa?` (the first ${aa} are listed)`:"";return Y("details",{class:"body-list"},Y("summary",{},`Bodies: ${s.length}${c}`),Y("div",{class:"camera"},vn("All","Show all bodies",()=>l(!0)),vn("None","Hide all bodies",()=>l(!1))),r)}}function mf(i){const t=10**Math.floor(Math.log10(i)),e=i/t;return(e<1.5?1:e<3.5?2:e<7.5?5:10)*t}function Cx(i,t){const e=s=>new F().subVectors(s,t.point).dot(t.normal),n=[];return i.forEach((s,r)=>{const o=i[(r+1)%i.length],[a,l]=[e(s),e(o)];a>=0&&n.push(s),a>=0!=l>=0&&n.push(new F().lerpVectors(s,o,a/(a-l)))}),n}function Px(i){const t=Math.abs(i.x)<.9?new F(1,0,0):new F(0,1,0),e=t.addScaledVector(i,-t.dot(i)).normalize();return[e,new F().crossVectors(i,e)]}class Dx{constructor(t,e,n){this.group=new Kn,this.grid=new Kn,this.plate=new rr({transparent:!0,opacity:.16,side:di,depthWrite:!1}),this.line=new xs({transparent:!0,opacity:.35}),this.spacing=mf(n/5);const s=t.walls.map(r=>({normal:new F(...r.normal),point:new F(...r.point)}));if(s.forEach((r,o)=>{const a=s.filter((l,c)=>c!==o);this.addPlate(r,a,e,1.6*n,this.group,!0)}),s.length===0){const r=new F(...t.up),o=[0,1].flatMap(c=>[0,1].flatMap(u=>[0,1].map(h=>new F(t.bounds[c][0],t.bounds[u][1],t.bounds[h][2])))),a=Math.min(...o.map(c=>c.dot(r))),l={normal:r,point:r.clone().multiplyScalar(a-.02*n)};this.addPlate(l,[],e,1.3*n,this.grid,!1)}}addPlate(t,e,n,s,r,o){const[a,l]=Px(t.normal),c=n.clone().addScaledVector(t.normal,t.point.clone().sub(n).dot(t.normal)),u=(d,T)=>c.clone().addScaledVector(a,d).addScaledVector(l,T);let h=[u(-s,-s),u(s,-s),u(s,s),u(-s,s)];for(const d of e)Math.abs(d.normal.dot(t.normal))<.999&&(h=Cx(h,d));if(h.length<3)return;const f=[];for(let d=2;d<h.length;d++)for(const T of[h[0],h[d-1],h[d]])f.push(T.x,T.y,T.z);if(o){const d=new Ye;d.setAttribute("position",new He(f,3)),r.add(new Dn(d,this.plate))}const p=[],_=(d,T)=>p.push(d.x,d.y,d.z,T.x,T.y,T.z);h.forEach((d,T)=>_(d,h[(T+1)%h.length]));for(const[d,T]of[[a,l],[l,a]]){const w=h.map(A=>A.dot(d)),S=Math.ceil(Math.min(...w)/this.spacing),D=Math.floor(Math.max(...w)/this.spacing);for(let A=S;A<=D&&D-S<200;A++){const U=[];h.forEach((O,b)=>{const E=h[(b+1)%h.length],[C,H]=[O.dot(d)-A*this.spacing,E.dot(d)-A*this.spacing];C<0!=H<0&&U.push(new F().lerpVectors(O,E,C/(C-H)))}),U.length===2&&U[0].clone().sub(U[1]).dot(T)!==0&&_(U[0],U[1])}}const x=new Ye;x.setAttribute("position",new He(p,3));const m=new no(x,this.line);m.userData.normal=t.normal,m.userData.point=t.point,m.userData.wall=o,r.add(m)}face(t){for(const e of this.group.children){const{normal:n,point:s,wall:r}=e.userData;r&&(e.visible=new F().subVectors(t,s).dot(n)>0)}}setColour(t){this.plate.color=new Kt(t),this.line.color=new Kt(t)}}const Lx=80;class Ux{constructor(t,e,n){this.stage=t,this.theme=e,this.scale=n,this.root=Y("div",{class:"overlay"}),this.labels=[],this.axes=Y("canvas",{class:"axes",role:"img","aria-label":"Directions of the axes x, y and z"}),this.key=Y("div",{class:"key","aria-label":"Key to the arrows"}),this.reading=Y("div",{class:"reading"}),this.tip=Y("div",{class:"tip",role:"status"});const s=t.views.length>1;this.frames=s?t.views.map(r=>Y("div",{class:"tile"},Y("div",{class:"caption"},r.motion.label))):[],this.root.append(...this.frames,this.axes,this.key,this.reading,this.tip),t.canvas.addEventListener("pointermove",r=>this.point(r)),t.canvas.addEventListener("pointerleave",()=>this.tip.classList.remove("on"))}point(t){if(t.buttons!==0||t.pointerType==="touch")return;const e=this.stage.canvas.getBoundingClientRect(),[n,s]=[t.clientX-e.left,t.clientY-e.top],r=this.stage.pick(n,s);this.tip.classList.toggle("on",r!==null),r&&(this.tip.textContent=this.words(r),this.tip.style.transform=`translate(${Math.min(n+12,Math.max(0,e.width-240))}px, ${Math.max(s-34,0)}px)`)}words({view:t,body:e,contact:n,surface:s}){const{motion:r,bodies:o}=this.stage.views[t];if(n){const h=n.recorded?r.forces:r.contacts,{kind:f,pair:p,unit:_}=Rh(h,n.event);return`${f}: ${p}, ${Rn(n.size,3)} ${n.isForce?"N":_} at t = ${Rn(h.time[n.event],5)} s`}if(s)return[s.name,s.value].filter(h=>h!=="").join(", ");if(e===void 0)return"";const a=r.scene.bodies[e],l=o.positions[e],c=[l.x,l.y,l.z].map(h=>Rn(h,3)).join(", "),u=a.mass===null?"":`, ${Rn(a.mass,3)} kg`;return`${a.name}${u} at (${c}) m${a.stand_in?"; drawn as a box of its inertia":""}`}drawKey(t){const e=this.stage.pixelsPerMetre,s=[[this.scale.impulse,"N s","impulse of an impact"],[this.scale.force,"N","force of a resting contact"]].filter(([r])=>t&&r>0).map(([r,o,a])=>{const l=mf(45/(r*e)),c=Y("span",{class:"arrow"});return c.style.width=`${Math.min(l*r*e,120)}px`,Y("div",{title:a},c,`${Rn(l)} ${o}`)});this.key.replaceChildren(...s)}update(t,e,n){this.frames.forEach((o,a)=>{const{x:l,y:c,width:u,height:h}=this.stage.tiles[a];o.style.transform=`translate(${l}px, ${c}px)`,o.style.width=`${u}px`,o.style.height=`${h}px`});const s=this.stage.views[0].walls.spacing,r=e&&this.stage.framesPerSecond>0?` · ${Math.round(this.stage.framesPerSecond)} frames/s`:"";this.reading.textContent=`grid ${Rn(s)} m${r}`,this.drawKey(n),this.drawAxes(),this.placeLabels(t)}placeLabels(t){let e=0;const n=[];t&&this.stage.views.forEach((s,r)=>{s.motion.scene.bodies.forEach((o,a)=>{var u;if(e>=Lx||!s.bodies.visible[a])return;const l=this.stage.project(s.bodies.positions[a],r);if(!l||n.some(([h,f])=>Math.abs(h-l.x)<70&&Math.abs(f-l.y)<16))return;n.push([l.x,l.y]);const c=(u=this.labels)[e]??(u[e]=this.root.appendChild(Y("div",{class:"label"})));e++,c.textContent=o.name,c.style.display="",c.style.transform=`translate(${l.x}px, ${l.y}px) translate(-50%, -160%)`})});for(const s of this.labels.slice(e))s.style.display="none"}paint(t,e,n,s){t.drawImage(this.axes,6*s,(e-70)*s,64*s,64*s),t.fillStyle=t.strokeStyle=this.theme.colour("--muted"),t.font=`${12*s}px system-ui, sans-serif`,t.textAlign="right",t.fillText(this.reading.textContent??"",(n-10)*s,(e-10)*s),[...this.key.children].forEach((r,o)=>{const a=r.querySelector(".arrow"),l=parseFloat(a.style.width)*s,c=(e-30-16*o)*s,u=(n-10)*s;t.fillText(r.textContent??"",u,c);const h=u-t.measureText(r.textContent??"").width-6*s;t.fillRect(h-l,c-5*s,l,2*s)}),t.textAlign="left",t.font=`600 ${12*s}px system-ui, sans-serif`,t.fillStyle=this.theme.colour("--text"),this.frames.forEach((r,o)=>{const{x:a,y:l}=this.stage.tiles[o];t.fillText(r.textContent??"",(a+8)*s,(l+18)*s)})}drawAxes(){const e=window.devicePixelRatio||1;this.axes.width!==64*e&&(this.axes.width=this.axes.height=64*e);const n=this.axes.getContext("2d");if(!n)return;n.setTransform(e,0,0,e,0,0),n.clearRect(0,0,64,64),n.font="600 12px system-ui, sans-serif",n.textAlign="center",n.textBaseline="middle";const s=this.stage.camera.quaternion.clone().invert(),r=["x","y","z"].map((o,a)=>({name:o,colour:Fa[a],tip:new F().setComponent(a,1).applyQuaternion(s)}));r.sort((o,a)=>o.tip.z-a.tip.z);for(const{name:o,colour:a,tip:l}of r){const[c,u]=[32+20*l.x,32-20*l.y];n.strokeStyle=n.fillStyle=a,n.globalAlpha=l.z<-.3?.55:1,n.lineWidth=2,n.beginPath(),n.moveTo(64/2,64/2),n.lineTo(c,u),n.stroke();const h=Math.hypot(l.x,l.y)<.3;n.fillText(o,h?64/2-9:64/2+28*l.x,h?64/2+9:64/2-28*l.y)}n.globalAlpha=1,n.fillStyle=this.theme.colour("--muted")}}const yc={good:"✓",plain:"",note:"!"};function gf([i,t]){return Y("p",{class:`verdict ${i}`},Y("span",{class:"sign","aria-hidden":"true"},yc[i]),t)}function Ix(i){const t=i.ledger.map(n=>Y("tr",{},Y("th",{scope:"row"},n.what),Y("td",{class:"number"},Br(n.value)),Y("td",{class:n.verdict},Br(`${yc[n.verdict]} ${n.remark}`.trim()),...n.meaning?[Y("span",{class:"meaning"},n.meaning)]:[]))),e=Y("tr",{},...["quantity","at the end","verdict"].map(n=>Y("th",{scope:"col"},n)));return Y("div",{class:"wide"},Y("table",{class:"ledger single"},Y("thead",{},e),Y("tbody",{},...t)))}function Nx(i,t){const e=i.flatMap(s=>s.ledger.filter(r=>r.what===t).map(r=>r.meaning??"")),[n]=e;return n&&e.every(s=>s===n)?[Y("span",{class:"meaning"},n)]:[]}function Fx(i){const t=[...new Set(i.flatMap(s=>s.ledger.map(r=>r.what)))],e=Y("tr",{},Y("th",{scope:"col"},"quantity"),...i.map(s=>Y("th",{scope:"col"},s.name))),n=t.map(s=>Y("tr",{},Y("th",{scope:"row"},s,...Nx(i,s)),...i.map(r=>{const o=r.ledger.find(a=>a.what===s);return o?Y("td",{class:o.verdict},Y("span",{class:"number"},Br(o.value)),Y("br"),Br(`${yc[o.verdict]} ${o.remark}`.trim())):Y("td",{},"–")})));return Y("div",{class:"wide"},Y("table",{class:"ledger"},Y("thead",{},e),Y("tbody",{},...n)))}function Ox(i){const t=Y("dl",{class:"facts"});for(const[e,n]of i.facts)t.append(Y("div",{},Y("dt",{},e),Y("dd",{},n)));return t}function _f(i,t){if(!location.protocol.startsWith("http"))return[];const e=["summary.json","scenario.toml","trajectory.csv","trajectory.npy","contacts.csv","motion.glb","report.html"];i.motions.some(s=>s.name==="plan")&&e.push("controls.csv","guess.csv","plan.json");const n=e.flatMap(s=>[Y("a",{href:`/run/${t}/${s}`,download:s},s)," "]);return[Y("p",{class:"files"},"Files: ",...n)]}function Bx(i){const t=Y("section",{class:"panel","aria-label":"Ledger"},Y("h2",{},"Ledger"));if(i.length>1)return i.forEach((n,s)=>{t.append(Y("h3",{},n.name),gf(n.verdict),..._f(n,s))}),t.append(Fx(i)),t;const[e]=i;return e.error&&t.append(Y("p",{class:"error"},e.error)),t.append(Ox(e),Ix(e),..._f(e,0)),t}function zx(i,t){return i.tables.map(({title:e,note:n,columns:s,rows:r})=>{const o=t?`${e}: ${i.name}`:e,a=Y("tr",{},...s.map(h=>Y("th",{scope:"col"},h))),l=r.map(h=>Y("tr",{},...h.map(f=>Y("td",{},Br(f))))),c=Y("table",{class:"ledger"},Y("thead",{},a),Y("tbody",{},...l)),u=Y("section",{class:"panel","aria-label":o},Y("h2",{},o),Y("div",{class:"wide"},c));return n&&u.append(Y("p",{class:"note-line"},n)),u})}function kx(i,t){const e=Y("pre",{tabindex:0},Y("code",{},i.scenario)),n=vn("Copy","Copy the scenario",()=>{navigator.clipboard?.writeText(i.scenario).then(()=>{n.textContent="Copied"})}),s=t?`Scenario as run: ${i.name}`:"Scenario as run";return Y("details",{class:"panel scenario"},Y("summary",{},s),n,e)}const Hx=!0,Ze="u-",Vx="uplot",Gx=Ze+"hz",Wx=Ze+"vt",Xx=Ze+"title",Yx=Ze+"wrap",qx=Ze+"under",$x=Ze+"over",jx=Ze+"axis",ws=Ze+"off",Kx=Ze+"select",Zx=Ze+"cursor-x",Jx=Ze+"cursor-y",Qx=Ze+"cursor-pt",tM=Ze+"legend",eM=Ze+"live",nM=Ze+"inline",iM=Ze+"series",sM=Ze+"marker",vf=Ze+"label",rM=Ze+"value",so="width",ro="height",oo="top",xf="bottom",gr="left",Ec="right",bc="#000",Mf=bc+"0",Tc="mousemove",Sf="mousedown",wc="mouseup",yf="mouseenter",Ef="mouseleave",bf="dblclick",oM="resize",aM="scroll",Tf="change",la="dppxchange",Ac="--",_r=typeof window<"u",Rc=_r?document:null,vr=_r?window:null,lM=_r?navigator:null;let _e,ca;function Cc(){let i=devicePixelRatio;_e!=i&&(_e=i,ca&&Lc(Tf,ca,Cc),ca=matchMedia(`(min-resolution: ${_e-.001}dppx) and (max-resolution: ${_e+.001}dppx)`),As(Tf,ca,Cc),vr.dispatchEvent(new CustomEvent(la)))}function zn(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function Pc(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function Ne(i,t,e){i.style[t]=e+"px"}function ai(i,t,e,n){let s=Rc.createElement(i);return t!=null&&zn(s,t),e?.insertBefore(s,n),s}function Zn(i,t){return ai("div",i,t)}const wf=new WeakMap;function Mi(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=wf.get(i);r!=o&&(i.style.transform=r,wf.set(i,r),t<0||e<0||t>n||e>s?zn(i,ws):Pc(i,ws))}const Af=new WeakMap;function Rf(i,t,e){let n=t+e,s=Af.get(i);n!=s&&(Af.set(i,n),i.style.background=t,i.style.borderColor=e)}const Cf=new WeakMap;function Pf(i,t,e,n){let s=t+""+e,r=Cf.get(i);s!=r&&(Cf.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}const Dc={passive:!0},cM={...Dc,capture:!0};function As(i,t,e,n){t.addEventListener(i,e,n?cM:Dc)}function Lc(i,t,e,n){t.removeEventListener(i,e,Dc)}_r&&Cc();function li(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:Hn((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function Df(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}const Lf=i=>i!=null,Uf=i=>i!=null&&i>0,ha=Df(Lf),hM=Df(Uf);function uM(i,t,e,n=0,s=!1){let r=s?hM:ha,o=s?Uf:Lf;[t,e]=r(i,t,e);let a=i[t],l=i[t];if(t>-1)if(n==1)a=i[t],l=i[e];else if(n==-1)a=i[e],l=i[t];else for(let c=t;c<=e;c++){let u=i[c];o(u)&&(u<a?a=u:u>l&&(l=u))}return[a??Re,l??-Re]}function ua(i,t,e,n){let s=Ff(i),r=Ff(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?Fi:Of,a=s==1?Hn:Jn,l=r==1?Jn:Hn,c=a(o(Je(i))),u=l(o(Je(t))),h=xr(e,c),f=xr(e,u);return e==10&&(c<0&&(h=Ce(h,-c)),u<0&&(f=Ce(f,-u))),n||e==2?(i=h*s,t=f*r):(i=Wf(i,h),t=pa(t,f)),[i,t]}function Uc(i,t,e,n){let s=ua(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}const Ic=.1,If={mode:3,pad:Ic},ao={pad:0,soft:null,mode:0},fM={min:ao,max:ao};function fa(i,t,e,n){return ma(e)?Nf(i,t,e):(ao.pad=e,ao.soft=n?0:null,ao.mode=n?3:0,Nf(i,t,fM))}function de(i,t){return i??t}function dM(i,t,e){for(t=de(t,0),e=de(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Nf(i,t,e){let n=e.min,s=e.max,r=de(n.pad,0),o=de(s.pad,0),a=de(n.hard,-Re),l=de(s.hard,Re),c=de(n.soft,Re),u=de(s.soft,-Re),h=de(n.mode,0),f=de(s.mode,0),p=t-i,_=Fi(p),x=Sn(Je(i),Je(t)),m=Fi(x),d=Je(m-_);(p<1e-24||d>10)&&(p=0,(i==0||t==0)&&(p=1e-24,h==2&&c!=Re&&(r=0),f==2&&u!=-Re&&(o=0)));let T=p||x||1e3,w=Fi(T),S=xr(10,Hn(w)),D=T*(p==0?i==0?.1:1:r),A=Ce(Wf(i-D,S/10),24),U=i>=c&&(h==1||h==3&&A<=c||h==2&&A>=c)?c:Re,O=Sn(a,A<U&&i>=U?U:ci(U,A)),b=T*(p==0?t==0?.1:1:o),E=Ce(pa(t+b,S/10),24),C=t<=u&&(f==1||f==3&&E>=u||f==2&&E<=u)?u:-Re,H=ci(l,E>C&&t<=C?C:Sn(C,E));return O==H&&O==0&&(H=100),[O,H]}const pM=new Intl.NumberFormat(_r?lM.language:"en-US"),Nc=i=>pM.format(i),kn=Math,da=kn.PI,Je=kn.abs,Hn=kn.floor,Qe=kn.round,Jn=kn.ceil,ci=kn.min,Sn=kn.max,xr=kn.pow,Ff=kn.sign,Fi=kn.log10,Of=kn.log2,mM=(i,t=1)=>kn.sinh(i)*t,Fc=(i,t=1)=>kn.asinh(i/t),Re=1/0;function Bf(i){return(Fi((i^i>>31)-(i>>31))|0)+1}function Oc(i,t,e){return ci(Sn(i,t),e)}function zf(i){return typeof i=="function"}function ce(i){return zf(i)?i:()=>i}const gM=()=>{},kf=i=>i,Hf=(i,t)=>t,_M=i=>null,Vf=i=>!0,Gf=(i,t)=>i==t,vM=/\.\d*?(?=9{6,}|0{6,})/gm,Rs=i=>{if(Yf(i)||Qi.has(i))return i;const t=`${i}`,e=t.match(vM);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${Rs(s)}e${r}`}return Ce(i,n)};function Cs(i,t){return Rs(Ce(Rs(i/t))*t)}function pa(i,t){return Rs(Jn(Rs(i/t))*t)}function Wf(i,t){return Rs(Hn(Rs(i/t))*t)}function Ce(i,t=0){if(Yf(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return Qe(n)/e}const Qi=new Map;function Xf(i){return((""+i).split(".")[1]||"").length}function lo(i,t,e,n){let s=[],r=n.map(Xf);for(let o=t;o<e;o++){let a=Je(o),l=Ce(xr(i,o),a);for(let c=0;c<n.length;c++){let u=i==10?+`${n[c]}e${o}`:n[c]*l,h=(o>=0?0:a)+(o>=r[c]?0:r[c]),f=i==10?u:Ce(u,h);s.push(f),Qi.set(f,h)}}return s}const co={},Bc=[],Mr=[null,null],ts=Array.isArray,Yf=Number.isInteger,xM=i=>i===void 0;function qf(i){return typeof i=="string"}function ma(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function MM(i){return i!=null&&typeof i=="object"}const SM=Object.getPrototypeOf(Uint8Array),$f="__proto__";function Sr(i,t=ma){let e;if(ts(i)){let n=i.find(s=>s!=null);if(ts(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=Sr(i[s],t)}else e=i.slice()}else if(i instanceof SM)e=i.slice();else if(t(i)){e={};for(let n in i)n!=$f&&(e[n]=Sr(i[n],t))}else e=i;return e}function qe(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=$f&&(ma(i[s])?qe(i[s],Sr(n[s])):i[s]=Sr(n[s]))}return i}const yM=0,EM=1,bM=2;function TM(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function wM(i,t){if(CM(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return PM(o[0])||(o=RM(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let u=0;u<c;u++)e.add(l[u])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let u=a[c],h=Array(s).fill(void 0),f=t?t[o][c]:EM,p=[];for(let _=0;_<u.length;_++){let x=u[_],m=r.get(l[_]);x===null?f!=yM&&(h[m]=x,f==bM&&p.push(m)):h[m]=x}TM(h,p,s),n.push(h)}}return n}const AM=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function RM(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function CM(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function PM(i,t=100){const e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;const r=Sn(1,Hn((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){const l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}const jf=["January","February","March","April","May","June","July","August","September","October","November","December"],Kf=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Zf(i){return i.slice(0,3)}const DM=Kf.map(Zf),LM=jf.map(Zf),UM={MMMM:jf,MMM:LM,WWWW:Kf,WWW:DM};function ho(i){return(i<10?"0":"")+i}function IM(i){return(i<10?"00":i<100?"0":"")+i}const NM={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>ho(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>ho(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>ho(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>ho(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>ho(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>IM(i.getMilliseconds())};function zc(i,t){t=t||UM;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?NM[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}const FM=new Intl.DateTimeFormat().resolvedOptions().timeZone;function OM(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==FM?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}const Jf=i=>i%1==0,ga=[1,2,2.5,5],BM=lo(10,-32,0,ga),Qf=lo(10,0,32,ga),zM=Qf.filter(Jf),Ps=BM.concat(Qf),kc=`
`,td="{YYYY}",ed=kc+td,nd="{M}/{D}",uo=kc+nd,_a=uo+"/{YY}",id="{aa}",yr="{h}:{mm}"+id,sd=kc+yr,rd=":{ss}",Me=null;function od(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?lo(10,0,3,ga).filter(Jf):lo(10,-3,0,ga)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]);const c=[[o,td,Me,Me,Me,Me,Me,Me,1],[s*28,"{MMM}",ed,Me,Me,Me,Me,Me,1],[s,nd,ed,Me,Me,Me,Me,Me,1],[n,"{h}"+id,_a,Me,uo,Me,Me,Me,1],[e,yr,_a,Me,uo,Me,Me,Me,1],[t,rd,_a+" "+yr,Me,uo+" "+yr,Me,sd,Me,1],[i,rd+".{fff}",_a+" "+yr,Me,uo+" "+yr,Me,sd,Me,1]];function u(h){return(f,p,_,x,m,d)=>{let T=[],w=m>=o,S=m>=r&&m<o,D=h(_),A=Ce(D*i,3),U=Hc(D.getFullYear(),w?0:D.getMonth(),S||w?1:D.getDate()),O=Ce(U*i,3);if(S||w){let b=S?m/r:0,E=w?m/o:0,C=A==O?A:Ce(Hc(U.getFullYear()+E,U.getMonth()+b,1)*i,3),H=new Date(Qe(C/i)),B=H.getFullYear(),W=H.getMonth();for(let X=0;C<=x;X++){let $=Hc(B+E*X,W+b*X,1),Q=$-h(Ce($*i,3));C=Ce((+$+Q)*i,3),C<=x&&T.push(C)}}else{let b=m>=s?s:m,E=Hn(_)-Hn(A),C=O+E+pa(A-O,b);T.push(C);let H=h(C),B=H.getHours()+H.getMinutes()/e+H.getSeconds()/n,W=m/n,X=f.axes[p]._space,$=d/X;for(;C=Ce(C+m,i==1?0:3),!(C>x);)if(W>1){let Q=Hn(Ce(B+W,6))%24,lt=h(C).getHours()-Q;lt>1&&(lt=-1),C-=lt*n,B=(B+W)%24;let vt=T[T.length-1];Ce((C-vt)/m,3)*$>=.7&&T.push(C)}else T.push(C)}return T}}return[l,c,u]}const[kM,HM,VM]=od(1),[GM,WM,XM]=od(.001);lo(2,-53,53,[1]);function ad(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function ld(i,t){return(e,n,s,r,o)=>{let a=t.find(_=>o>=_[0])||t[t.length-1],l,c,u,h,f,p;return n.map(_=>{let x=i(_),m=x.getFullYear(),d=x.getMonth(),T=x.getDate(),w=x.getHours(),S=x.getMinutes(),D=x.getSeconds(),A=m!=l&&a[2]||d!=c&&a[3]||T!=u&&a[4]||w!=h&&a[5]||S!=f&&a[6]||D!=p&&a[7]||a[1];return l=m,c=d,u=T,h=w,f=S,p=D,A(x)})}}function YM(i,t){let e=zc(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function Hc(i,t,e){return new Date(i,t,e)}function cd(i,t){return t(i)}const qM="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function hd(i,t){return(e,n,s,r)=>r==null?Ac:t(i(n))}function $M(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function jM(i,t){return i.series[t].fill(i,t)}const KM={show:!0,live:!0,isolate:!1,mount:gM,markers:{show:!0,width:2,stroke:$M,fill:jM,dash:"solid"},idx:null,idxs:null,values:[]};function ZM(i,t){let e=i.cursor.points,n=Zn(),s=e.size(i,t);Ne(n,so,s),Ne(n,ro,s);let r=s/-2;Ne(n,"marginLeft",r),Ne(n,"marginTop",r);let o=e.width(i,t,s);return o&&Ne(n,"borderWidth",o),n}function JM(i,t){let e=i.series[t].points;return e._fill||e._stroke}function QM(i,t){let e=i.series[t].points;return e._stroke||e._fill}function tS(i,t){return i.series[t].points.size}const Vc=[0,0];function eS(i,t,e){return Vc[0]=t,Vc[1]=e,Vc}function va(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function Gc(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}const nS={show:!0,x:!0,y:!0,lock:!1,move:eS,points:{one:!1,show:ZM,size:tS,width:0,stroke:QM,fill:JM},bind:{mousedown:va,mouseup:va,click:va,dblclick:va,mousemove:Gc,mouseleave:Gc,mouseenter:Gc},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ud={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Wc=qe({},ud,{filter:Hf}),fd=qe({},Wc,{size:10}),dd=qe({},ud,{show:!1}),Xc='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',pd="bold "+Xc,md=1.5,gd={show:!0,scale:"x",stroke:bc,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:pd,side:2,grid:Wc,ticks:fd,border:dd,font:Xc,lineGap:md,rotate:0},iS="Value",sS="Time",_d={show:!0,scale:"x",auto:!1,sorted:1,min:Re,max:-Re,idxs:[]};function rS(i,t,e,n,s){return t.map(r=>r==null?"":Nc(r))}function oS(i,t,e,n,s,r,o){let a=[],l=Qi.get(s)||0;e=o?e:Ce(pa(e,s),l);for(let c=e;c<=n;c=Ce(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function Yc(i,t,e,n,s,r,o){const a=[],l=i.scales[i.axes[t].scale].log,c=l==10?Fi:Of,u=Hn(c(e));s=xr(l,u),l==10&&(s=Ps[li(s,Ps)]);let h=e,f=s*l;l==10&&(f=Ps[li(f,Ps)]);do a.push(h),h=h+s,l==10&&!Qi.has(h)&&(h=Ce(h,Qi.get(s))),h>=f&&(s=h,f=s*l,l==10&&(f=Ps[li(f,Ps)]));while(h<=n);return a}function aS(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?Yc(i,t,Sn(l,e),n,s):[l],u=n>=0&&e<=0?[0]:[];return(e<-l?Yc(i,t,Sn(l,-n),-e,s):[l]).reverse().map(f=>-f).concat(u,c)}const vd=/./,lS=/[12357]/,cS=/[125]/,xd=/1/,qc=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function hS(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,u=l(10,o),h=l(9,o)-u>=c?vd:l(7,o)-u>=c?lS:l(5,o)-u>=c?cS:xd;if(h==xd){let f=Je(l(1,o)-u);if(f<c)return qc(t.slice().reverse(),a.distr,h,Jn(c/f)).reverse()}return qc(t,a.distr,h,1)}function uS(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=Je(l(1,o)-l(2,o));return c<a?qc(t.slice().reverse(),3,vd,Jn(a/c)).reverse():t}function fS(i,t,e,n){return n==null?Ac:t==null?"":Nc(t)}const Md={show:!0,scale:"y",stroke:bc,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:pd,side:3,grid:Wc,ticks:fd,border:dd,font:Xc,lineGap:md,rotate:0};function dS(i,t){let e=3+(i||1)*2;return Ce(e*t,3)}function pS(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=Je(o-r),l=i.series[t],c=a/(l.points.space*_e);return n[1]-n[0]<=c}const Sd={scale:null,auto:!0,sorted:0,min:Re,max:-Re},yd=(i,t,e,n,s)=>s,Ed={show:!0,auto:!0,sorted:0,gaps:yd,alpha:1,facets:[qe({},Sd,{scale:"x"}),qe({},Sd,{scale:"y"})]},bd={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:yd,alpha:1,points:{show:pS,filter:null},values:null,min:Re,max:-Re,idxs:[],path:null,clip:null};function mS(i,t,e,n,s){return e/10}const Td={time:Hx,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},gS=qe({},Td,{time:!1,ori:1}),wd={};function Ad(i,t){let e=wd[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let u=0;u<e.plots.length;u++)e.plots[u]!=s&&e.plots[u].pub(n,s,r,o,a,l,c)}},i!=null&&(wd[i]=e)),e}const Er=1,$c=2;function Ds(i,t,e){const n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox;let l=r[0],c=n==2?r[1]:r[t],u=n==2?o[s.facets[0].scale]:o[i.series[0].scale],h=n==2?o[s.facets[1].scale]:o[s.scale],f=a.left,p=a.top,_=a.width,x=a.height,m=i.valToPosH,d=i.valToPosV;return u.ori==0?e(s,l,c,u,h,m,d,f,p,_,x,Ma,br,ya,Pd,Ld):e(s,l,c,u,h,d,m,p,f,x,_,Sa,Tr,Zc,Dd,Ud)}function jc(i,t){let e=0,n=0,s=de(i.bands,Bc);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function _S(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function Oi(i,t,e,n,s,r){return Ds(i,t,(o,a,l,c,u,h,f,p,_,x,m)=>{let d=o.pxRound;const T=c.dir*(c.ori==0?1:-1),w=c.ori==0?br:Tr;let S,D;T==1?(S=e,D=n):(S=n,D=e);let A=d(h(a[S],c,x,p)),U=d(f(l[S],u,m,_)),O=d(h(a[D],c,x,p)),b=d(f(r==1?u.max:u.min,u,m,_)),E=new Path2D(s);return w(E,O,b),w(E,A,b),w(E,A,U),E})}function xa(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;const a=t==0?ya:Zc;let l=e;for(let h=0;h<i.length;h++){let f=i[h];if(f[1]>f[0]){let p=f[0]-l;p>0&&a(o,l,n,p,n+r),l=f[1]}}let c=e+s-l,u=10;c>0&&a(o,l,n-u/2,c,n+r+u)}return o}function vS(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function Kc(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let h=c,f=c;if(s==1)for(;++c<=n&&t[c]===null;)f=c;else for(;--c>=e&&t[c]===null;)f=c;let p=r(i[h]),_=f==h?p:r(i[f]),x=h-s;p=o<=0&&x>=0&&x<l?r(i[x]):p;let d=f+s;_=o>=0&&d>=0&&d<l?r(i[d]):_,_>=p&&a.push([p,_])}return a}function Rd(i){return i==0?kf:i==1?Qe:t=>Cs(t,i)}function Cd(i){let t=i==0?Ma:Sa,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,u=0)=>{c==0&&u==0?n(s,r,o,a,l):(c=ci(c,a/2,l/2),u=ci(u,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,u),e(s,r,o+l,r,o,u),e(s,r,o,r+a,o,c),s.closePath())}}const Ma=(i,t,e)=>{i.moveTo(t,e)},Sa=(i,t,e)=>{i.moveTo(e,t)},br=(i,t,e)=>{i.lineTo(t,e)},Tr=(i,t,e)=>{i.lineTo(e,t)},ya=Cd(0),Zc=Cd(1),Pd=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},Dd=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},Ld=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},Ud=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function Id(i){return(t,e,n,s,r)=>Ds(t,e,(o,a,l,c,u,h,f,p,_,x,m)=>{let{pxRound:d,points:T}=o,w,S;c.ori==0?(w=Ma,S=Pd):(w=Sa,S=Dd);const D=Ce(T.width*_e,3);let A=(T.size-T.width)/2*_e,U=Ce(A*2,3),O=new Path2D,b=new Path2D,{left:E,top:C,width:H,height:B}=t.bbox;ya(b,E-U,C-U,H+U*2,B+U*2);const W=X=>{if(l[X]!=null){let $=d(h(a[X],c,x,p)),Q=d(f(l[X],u,m,_));w(O,$+A,Q),S(O,$,Q,A,0,da*2)}};if(r)r.forEach(W);else for(let X=n;X<=s;X++)W(X);return{stroke:D>0?O:null,fill:O,clip:b,flags:Er|$c}})}function Nd(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}const xS=Nd(br),MS=Nd(Tr);function Fd(i){const t=de(i?.alignGaps,0);return(e,n,s,r)=>Ds(e,n,(o,a,l,c,u,h,f,p,_,x,m)=>{[s,r]=ha(l,s,r);let d=o.pxRound,T=B=>d(h(B,c,x,p)),w=B=>d(f(B,u,m,_)),S,D;c.ori==0?(S=br,D=xS):(S=Tr,D=MS);const A=c.dir*(c.ori==0?1:-1),U={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Er},O=U.stroke;let b=!1;if(r-s>=x*4){let B=_t=>e.posToVal(_t,c.key,!0),W=null,X=null,$,Q,J,at=T(a[A==1?s:r]),lt=T(a[s]),vt=T(a[r]),St=B(A==1?lt+1:vt-1);for(let _t=A==1?s:r;_t>=s&&_t<=r;_t+=A){let ne=a[_t],tt=(A==1?ne<St:ne>St)?at:T(ne),nt=l[_t];tt==at?nt!=null?(Q=nt,W==null?(S(O,tt,w(Q)),$=W=X=Q):Q<W?W=Q:Q>X&&(X=Q)):nt===null&&(b=!0):(W!=null&&D(O,at,w(W),w(X),w($),w(Q)),nt!=null?(Q=nt,S(O,tt,w(Q)),W=X=$=Q):(W=X=null,nt===null&&(b=!0)),at=tt,St=B(at+A))}W!=null&&W!=X&&J!=at&&D(O,at,w(W),w(X),w($),w(Q))}else for(let B=A==1?s:r;B>=s&&B<=r;B+=A){let W=l[B];W===null?b=!0:W!=null&&S(O,T(a[B]),w(W))}let[C,H]=jc(e,n);if(o.fill!=null||C!=0){let B=U.fill=new Path2D(O),W=o.fillTo(e,n,o.min,o.max,C),X=w(W),$=T(a[s]),Q=T(a[r]);A==-1&&([Q,$]=[$,Q]),S(B,Q,X),S(B,$,X)}if(!o.spanGaps){let B=[];b&&B.push(...Kc(a,l,s,r,A,T,t)),U.gaps=B=o.gaps(e,n,s,r,B),U.clip=xa(B,c.ori,p,_,x,m)}return H!=0&&(U.band=H==2?[Oi(e,n,s,r,O,-1),Oi(e,n,s,r,O,1)]:Oi(e,n,s,r,O,H)),U})}function SS(i){const t=de(i.align,1),e=de(i.ascDesc,!1),n=de(i.alignGaps,0),s=de(i.extend,!1);return(r,o,a,l)=>Ds(r,o,(c,u,h,f,p,_,x,m,d,T,w)=>{[a,l]=ha(h,a,l);let S=c.pxRound,{left:D,width:A}=r.bbox,U=lt=>S(_(lt,f,T,m)),O=lt=>S(x(lt,p,w,d)),b=f.ori==0?br:Tr;const E={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Er},C=E.stroke,H=f.dir*(f.ori==0?1:-1);let B=O(h[H==1?a:l]),W=U(u[H==1?a:l]),X=W,$=W;s&&t==-1&&($=D,b(C,$,B)),b(C,W,B);for(let lt=H==1?a:l;lt>=a&&lt<=l;lt+=H){let vt=h[lt];if(vt==null)continue;let St=U(u[lt]),_t=O(vt);t==1?b(C,St,B):b(C,X,_t),b(C,St,_t),B=_t,X=St}let Q=X;s&&t==1&&(Q=D+A,b(C,Q,B));let[J,at]=jc(r,o);if(c.fill!=null||J!=0){let lt=E.fill=new Path2D(C),vt=c.fillTo(r,o,c.min,c.max,J),St=O(vt);b(lt,Q,St),b(lt,$,St)}if(!c.spanGaps){let lt=[];lt.push(...Kc(u,h,a,l,H,U,n));let vt=c.width*_e/2,St=e||t==1?vt:-vt,_t=e||t==-1?-vt:vt;lt.forEach(ne=>{ne[0]+=St,ne[1]+=_t}),E.gaps=lt=c.gaps(r,o,a,l,lt),E.clip=xa(lt,f.ori,m,d,T,w)}return at!=0&&(E.band=at==2?[Oi(r,o,a,l,C,-1),Oi(r,o,a,l,C,1)]:Oi(r,o,a,l,C,at)),E})}function Od(i,t,e,n,s,r,o=Re){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let u=Je(i[l]-i[a]);u<c&&(c=u,o=Je(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function yS(i){i=i||co;const t=de(i.size,[.6,Re,1]),e=i.align||0,n=i.gap||0;let s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;const r=ce(s),o=1-t[0],a=de(t[1],Re),l=de(t[2],1),c=de(i.disp,co),u=de(i.each,p=>{}),{fill:h,stroke:f}=c;return(p,_,x,m)=>Ds(p,_,(d,T,w,S,D,A,U,O,b,E,C)=>{let H=d.pxRound,B=e,W=n*_e,X=a*_e,$=l*_e,Q,J;S.ori==0?[Q,J]=r(p,_):[J,Q]=r(p,_);const at=S.dir*(S.ori==0?1:-1);let lt=S.ori==0?ya:Zc,vt=S.ori==0?u:(N,K,it,et,Nt,ut,Dt)=>{u(N,K,it,Nt,et,Dt,ut)},St=de(p.bands,Bc).find(N=>N.series[0]==_),_t=St!=null?St.dir:0,ne=d.fillTo(p,_,d.min,d.max,_t),Zt=H(U(ne,D,C,b)),tt,nt,bt,zt=E,xt=H(d.width*_e),Jt=!1,De=null,I=null,ue=null,qt=null;h!=null&&(xt==0||f!=null)&&(Jt=!0,De=h.values(p,_,x,m),I=new Map,new Set(De).forEach(N=>{N!=null&&I.set(N,new Path2D)}),xt>0&&(ue=f.values(p,_,x,m),qt=new Map,new Set(ue).forEach(N=>{N!=null&&qt.set(N,new Path2D)})));let{x0:Gt,size:It}=c;if(Gt!=null&&It!=null){B=1,T=Gt.values(p,_,x,m),Gt.unit==2&&(T=T.map(it=>p.posToVal(O+it*E,S.key,!0)));let N=It.values(p,_,x,m);It.unit==2?nt=N[0]*E:nt=A(N[0],S,E,O)-A(0,S,E,O),zt=Od(T,w,A,S,E,O,zt),bt=zt-nt+W}else zt=Od(T,w,A,S,E,O,zt),bt=zt*o+W,nt=zt-bt;bt<1&&(bt=0),xt>=nt/2&&(xt=0),bt<5&&(H=kf);let ye=bt>0,Ct=zt-bt-(ye?xt:0);nt=H(Oc(Ct,$,X)),tt=(B==0?nt/2:B==at?0:nt)-B*at*((B==0?W/2:0)+(ye?xt/2:0));const Vt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Fe=Jt?null:new Path2D;let ve=null;if(St!=null)ve=p.data[St.series[1]];else{let{y0:N,y1:K}=c;N!=null&&K!=null&&(w=K.values(p,_,x,m),ve=N.values(p,_,x,m))}let P=Q*nt,v=J*nt;for(let N=at==1?x:m;N>=x&&N<=m;N+=at){let K=w[N];if(K==null)continue;if(ve!=null){let gt=ve[N]??0;if(K-gt==0)continue;Zt=U(gt,D,C,b)}let it=S.distr!=2||c!=null?T[N]:N,et=A(it,S,E,O),Nt=U(de(K,ne),D,C,b),ut=H(et-tt),Dt=H(Sn(Nt,Zt)),At=H(ci(Nt,Zt)),ot=Dt-At;if(K!=null){let gt=K<0?v:P,Bt=K<0?P:v;Jt?(xt>0&&ue[N]!=null&&lt(qt.get(ue[N]),ut,At+Hn(xt/2),nt,Sn(0,ot-xt),gt,Bt),De[N]!=null&&lt(I.get(De[N]),ut,At+Hn(xt/2),nt,Sn(0,ot-xt),gt,Bt)):lt(Fe,ut,At+Hn(xt/2),nt,Sn(0,ot-xt),gt,Bt),vt(p,_,N,ut-xt/2,At,nt+xt,ot)}}return xt>0?Vt.stroke=Jt?qt:Fe:Jt||(Vt._fill=d.width==0?d._fill:d._stroke??d._fill,Vt.width=0),Vt.fill=Jt?I:Fe,Vt})}function ES(i,t){const e=de(t?.alignGaps,0);return(n,s,r,o)=>Ds(n,s,(a,l,c,u,h,f,p,_,x,m,d)=>{[r,o]=ha(c,r,o);let T=a.pxRound,w=Q=>T(f(Q,u,m,_)),S=Q=>T(p(Q,h,d,x)),D,A,U;u.ori==0?(D=Ma,U=br,A=Ld):(D=Sa,U=Tr,A=Ud);const O=u.dir*(u.ori==0?1:-1);let b=w(l[O==1?r:o]),E=b,C=[],H=[];for(let Q=O==1?r:o;Q>=r&&Q<=o;Q+=O)if(c[Q]!=null){let at=l[Q],lt=w(at);C.push(E=lt),H.push(S(c[Q]))}const B={stroke:i(C,H,D,U,A,T),fill:null,clip:null,band:null,gaps:null,flags:Er},W=B.stroke;let[X,$]=jc(n,s);if(a.fill!=null||X!=0){let Q=B.fill=new Path2D(W),J=a.fillTo(n,s,a.min,a.max,X),at=S(J);U(Q,E,at),U(Q,b,at)}if(!a.spanGaps){let Q=[];Q.push(...Kc(l,c,r,o,O,w,e)),B.gaps=Q=a.gaps(n,s,r,o,Q),B.clip=xa(Q,u.ori,_,x,m,d)}return $!=0&&(B.band=$==2?[Oi(n,s,r,o,W,-1),Oi(n,s,r,o,W,1)]:Oi(n,s,r,o,W,$)),B})}function bS(i){return ES(TS,i)}function TS(i,t,e,n,s,r){const o=i.length;if(o<2)return null;const a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),u=Array(o-1),h=Array(o-1);for(let f=0;f<o-1;f++)u[f]=t[f+1]-t[f],h[f]=i[f+1]-i[f],c[f]=u[f]/h[f];l[0]=c[0];for(let f=1;f<o-1;f++)c[f]===0||c[f-1]===0||c[f-1]>0!=c[f]>0?l[f]=0:(l[f]=3*(h[f-1]+h[f])/((2*h[f]+h[f-1])/c[f-1]+(h[f]+2*h[f-1])/c[f]),isFinite(l[f])||(l[f]=0));l[o-1]=c[o-2];for(let f=0;f<o-1;f++)s(a,i[f]+h[f]/3,t[f]+l[f]*h[f]/3,i[f+1]-h[f]/3,t[f+1]-l[f+1]*h[f]/3,i[f+1],t[f+1])}return a}const Jc=new Set;function Bd(){for(let i of Jc)i.syncRect(!0)}_r&&(As(oM,vr,Bd),As(aM,vr,Bd,!0),As(la,vr,()=>{rn.pxRatio=_e}));const wS=Fd(),AS=Id();function zd(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>Qc(r,o,t,e))}function RS(i,t){return i.map((e,n)=>n==0?{}:qe({},t,e))}function Qc(i,t,e,n){return qe({},t==0?e:n,i)}function kd(i,t,e){return t==null?Mr:[t,e]}const CS=kd;function PS(i,t,e){return t==null?Mr:fa(t,e,Ic,!0)}function Hd(i,t,e,n){return t==null?Mr:ua(t,e,i.scales[n].log,!1)}const DS=Hd;function Vd(i,t,e,n){return t==null?Mr:Uc(t,e,i.scales[n].log,!1)}const LS=Vd;function US(i,t,e,n,s){let r=Sn(Bf(i),Bf(t)),o=t-i,a=li(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?Qi.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function Gd(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=Qe((e=+s)*_e))+"px"),[i,t,e]}function IS(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Ce(t[2]*_e,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function rn(i,t,e){const n={mode:de(i.mode,1)},s=n.mode;function r(g,M,R,L){let k=M.valToPct(g);return L+R*(M.dir==-1?1-k:k)}function o(g,M,R,L){let k=M.valToPct(g);return L+R*(M.dir==-1?k:1-k)}function a(g,M,R,L){return M.ori==0?r(g,M,R,L):o(g,M,R,L)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;const c=n.root=Zn(Vx);if(i.id!=null&&(c.id=i.id),zn(c,i.class),i.title){let g=Zn(Xx,c);g.textContent=i.title}const u=ai("canvas"),h=n.ctx=u.getContext("2d"),f=Zn(Yx,c);As("click",f,g=>{g.target===_&&(Oe!=Dr||ke!=Lr)&&pn.click(n,g)},!0);const p=n.under=Zn(qx,f);f.appendChild(u);const _=n.over=Zn($x,f);i=Sr(i);const x=+de(i.pxAlign,1),m=Rd(x);(i.plugins||[]).forEach(g=>{g.opts&&(i=g.opts(n,i)||i)});const d=i.ms||.001,T=n.series=s==1?zd(i.series||[],_d,bd,!1):RS(i.series||[null],Ed),w=n.axes=zd(i.axes||[],gd,Md,!0),S=n.scales={},D=n.bands=i.bands||[];D.forEach(g=>{g.fill=ce(g.fill||null),g.dir=de(g.dir,-1)});const A=s==2?T[1].facets[0].scale:T[0].scale,U={axes:nE,series:Ns},O=(i.drawOrder||["axes","series"]).map(g=>U[g]);function b(g){const M=g.distr==3?R=>Fi(R>0?R:g.clamp(n,R,g.min,g.max,g.key)):g.distr==4?R=>Fc(R,g.asinh):g.distr==100?R=>g.fwd(R):R=>R;return R=>{let L=M(R),{_min:k,_max:q}=g,st=q-k;return(L-k)/st}}function E(g){let M=S[g];if(M==null){let R=(i.scales||co)[g]||co;if(R.from!=null){E(R.from);let L=qe({},S[R.from],R,{key:g});L.valToPct=b(L),S[g]=L}else{M=S[g]=qe({},g==A?Td:gS,R),M.key=g;let L=M.time,k=M.range,q=ts(k);if((g!=A||s==2&&!L)&&(q&&(k[0]==null||k[1]==null)&&(k={min:k[0]==null?If:{mode:1,hard:k[0],soft:k[0]},max:k[1]==null?If:{mode:1,hard:k[1],soft:k[1]}},q=!1),!q&&ma(k))){let st=k;k=(ct,mt,wt)=>mt==null?Mr:fa(mt,wt,st)}M.range=ce(k||(L?CS:g==A?M.distr==3?DS:M.distr==4?LS:kd:M.distr==3?Hd:M.distr==4?Vd:PS)),M.auto=ce(q?!1:M.auto),M.clamp=ce(M.clamp||mS),M._min=M._max=null,M.valToPct=b(M)}}}E("x"),E("y"),s==1&&T.forEach(g=>{E(g.scale)}),w.forEach(g=>{E(g.scale)});for(let g in i.scales)E(g);const C=S[A],H=C.distr;let B,W;C.ori==0?(zn(c,Gx),B=r,W=o):(zn(c,Wx),B=o,W=r);const X={};for(let g in S){let M=S[g];(M.min!=null||M.max!=null)&&(X[g]={min:M.min,max:M.max},M.min=M.max=null)}const $=i.tzDate||(g=>new Date(Qe(g/d))),Q=i.fmtDate||zc,J=d==1?VM($):XM($),at=ld($,ad(d==1?HM:WM,Q)),lt=hd($,cd(qM,Q)),vt=[],St=n.legend=qe({},KM,i.legend),_t=n.cursor=qe({},nS,{drag:{y:s==2}},i.cursor),ne=St.show,Zt=_t.show,tt=St.markers;St.idxs=vt,tt.width=ce(tt.width),tt.dash=ce(tt.dash),tt.stroke=ce(tt.stroke),tt.fill=ce(tt.fill);let nt,bt,zt,xt=[],Jt=[],De,I=!1,ue={};if(St.live){const g=T[1]?T[1].values:null;I=g!=null,De=I?g(n,1,0):{_:0};for(let M in De)ue[M]=Ac}if(ne)if(nt=ai("table",tM,c),zt=ai("tbody",null,nt),St.mount(n,nt),I){bt=ai("thead",null,nt,zt);let g=ai("tr",null,bt);ai("th",null,g);for(var qt in De)ai("th",vf,g).textContent=qt}else zn(nt,nM),St.live&&zn(nt,eM);const Gt={show:!0},It={show:!1};function ye(g,M){if(M==0&&(I||!St.live||s==2))return Mr;let R=[],L=ai("tr",iM,zt,zt.childNodes[M]);zn(L,g.class),g.show||zn(L,ws);let k=ai("th",null,L);if(tt.show){let ct=Zn(sM,k);if(M>0){let mt=tt.width(n,M);mt&&(ct.style.border=mt+"px "+tt.dash(n,M)+" "+tt.stroke(n,M)),ct.style.background=tt.fill(n,M)}}let q=Zn(vf,k);g.label instanceof HTMLElement?q.appendChild(g.label):q.textContent=g.label,M>0&&(tt.show||(q.style.color=g.width>0?tt.stroke(n,M):tt.fill(n,M)),Vt("click",k,ct=>{if(_t._lock)return;dn(ct);let mt=T.indexOf(g);if((ct.ctrlKey||ct.metaKey)!=St.isolate){let wt=T.some((Rt,Ut)=>Ut>0&&Ut!=mt&&Rt.show);T.forEach((Rt,Ut)=>{Ut>0&&bi(Ut,wt?Ut==mt?Gt:It:Gt,!0,$e.setSeries)})}else bi(mt,{show:!g.show},!0,$e.setSeries)},!1),Un&&Vt(yf,k,ct=>{_t._lock||(dn(ct),bi(T.indexOf(g),Ir,!0,$e.setSeries))},!1));for(var st in De){let ct=ai("td",rM,L);ct.textContent="--",R.push(ct)}return[L,R]}const Ct=new Map;function Vt(g,M,R,L=!0){const k=Ct.get(M)||{},q=_t.bind[g](n,M,R,L);q&&(As(g,M,k[g]=q),Ct.set(M,k))}function Fe(g,M,R){const L=Ct.get(M)||{};for(let k in L)(g==null||k==g)&&(Lc(k,M,L[k]),delete L[k]);g==null&&Ct.delete(M)}let ve=0,P=0,v=0,N=0,K=0,it=0,et=K,Nt=it,ut=v,Dt=N,At=0,ot=0,gt=0,Bt=0;n.bbox={};let Ot=!1,Mt=!1,jt=!1,z=!1,ft=!1,pt=!1;function Pt(g,M,R){(R||g!=n.width||M!=n.height)&&ht(g,M),Ar(!1),jt=!0,Mt=!0,Rr()}function ht(g,M){n.width=ve=v=g,n.height=P=N=M,K=it=0,we(),pe();let R=n.bbox;At=R.left=Cs(K*_e,.5),ot=R.top=Cs(it*_e,.5),gt=R.width=Cs(v*_e,.5),Bt=R.height=Cs(N*_e,.5)}const rt=3;function Ft(){let g=!1,M=0;for(;!g;){M++;let R=tE(M),L=eE(M);g=M==rt||R&&L,g||(ht(n.width,n.height),Mt=!0)}}function Qt({width:g,height:M}){Pt(g,M)}n.setSize=Qt;function we(){let g=!1,M=!1,R=!1,L=!1;w.forEach((k,q)=>{if(k.show&&k._show){let{side:st,_size:ct}=k,mt=st%2,wt=k.label!=null?k.labelSize:0,Rt=ct+wt;Rt>0&&(mt?(v-=Rt,st==3?(K+=Rt,L=!0):R=!0):(N-=Rt,st==0?(it+=Rt,g=!0):M=!0))}}),zi[0]=g,zi[1]=R,zi[2]=M,zi[3]=L,v-=Ei[1]+Ei[3],K+=Ei[3],N-=Ei[2]+Ei[0],it+=Ei[0]}function pe(){let g=K+v,M=it+N,R=K,L=it;function k(q,st){switch(q){case 1:return g+=st,g-st;case 2:return M+=st,M-st;case 3:return R-=st,R+st;case 0:return L-=st,L+st}}w.forEach((q,st)=>{if(q.show&&q._show){let ct=q.side;q._pos=k(ct,q._size),q.label!=null&&(q._lpos=k(ct,q.labelSize))}})}if(_t.dataIdx==null){let g=_t.hover,M=g.skip=new Set(g.skip??[]);M.add(void 0);let R=g.prox=ce(g.prox),L=g.bias??(g.bias=0);_t.dataIdx=(k,q,st,ct)=>{if(q==0)return st;let mt=st,wt=R(k,q,st,ct)??Re,Rt=wt>=0&&wt<Re,Ut=C.ori==0?v:N,te=_t.left,xe=t[0],ge=t[q];if(M.has(ge[st])){mt=null;let le=null,$t=null,Ht;if(L==0||L==-1)for(Ht=st;le==null&&Ht-- >0;)M.has(ge[Ht])||(le=Ht);if(L==0||L==1)for(Ht=st;$t==null&&Ht++<ge.length;)M.has(ge[Ht])||($t=Ht);if(le!=null||$t!=null)if(Rt){let ze=le==null?-1/0:B(xe[le],C,Ut,0),Ge=$t==null?1/0:B(xe[$t],C,Ut,0),un=te-ze,Ae=Ge-te;un<=Ae?un<=wt&&(mt=le):Ae<=wt&&(mt=$t)}else mt=$t==null?le:le==null?$t:st-le<=$t-st?le:$t}else Rt&&Je(te-B(xe[st],C,Ut,0))>wt&&(mt=null);return mt}}const dn=g=>{_t.event=g};_t.idxs=vt,_t._lock=!1;let Pe=_t.points;Pe.show=ce(Pe.show),Pe.size=ce(Pe.size),Pe.stroke=ce(Pe.stroke),Pe.width=ce(Pe.width),Pe.fill=ce(Pe.fill);const Vn=n.focus=qe({},i.focus||{alpha:.3},_t.focus),Un=Vn.prox>=0,yi=Un&&Pe.one;let yn=[],Bi=[],hi=[];function po(g,M){let R=Pe.show(n,M);if(R instanceof HTMLElement)return zn(R,Qx),zn(R,g.class),Mi(R,-10,-10,v,N),_.insertBefore(R,yn[M]),R}function Us(g,M){if(s==1||M>0){let R=s==1&&S[g.scale].time,L=g.value;g.value=R?qf(L)?hd($,cd(L,Q)):L||lt:L||fS,g.label=g.label||(R?sS:iS)}if(yi||M>0){g.width=g.width==null?1:g.width,g.paths=g.paths||wS||_M,g.fillTo=ce(g.fillTo||_S),g.pxAlign=+de(g.pxAlign,x),g.pxRound=Rd(g.pxAlign),g.stroke=ce(g.stroke||null),g.fill=ce(g.fill||null),g._stroke=g._fill=g._paths=g._focus=null;let R=dS(Sn(1,g.width),1),L=g.points=qe({},{size:R,width:Sn(1,R*.2),stroke:g.stroke,space:R*2,paths:AS,_stroke:null,_fill:null},g.points);L.show=ce(L.show),L.filter=ce(L.filter),L.fill=ce(L.fill),L.stroke=ce(L.stroke),L.paths=ce(L.paths),L.pxAlign=g.pxAlign}if(ne){let R=ye(g,M);xt.splice(M,0,R[0]),Jt.splice(M,0,R[1]),St.values.push(null)}if(Zt){vt.splice(M,0,null);let R=null;yi?M==0&&(R=po(g,M)):M>0&&(R=po(g,M)),yn.splice(M,0,R),Bi.splice(M,0,0),hi.splice(M,0,0)}hn("addSeries",M)}function Pa(g,M){M=M??T.length,g=s==1?Qc(g,M,_d,bd):Qc(g,M,{},Ed),T.splice(M,0,g),Us(T[M],M)}n.addSeries=Pa;function Da(g){if(T.splice(g,1),ne){St.values.splice(g,1),Jt.splice(g,1);let M=xt.splice(g,1)[0];Fe(null,M.firstChild),M.remove()}Zt&&(vt.splice(g,1),yn.splice(g,1)[0].remove(),Bi.splice(g,1),hi.splice(g,1)),hn("delSeries",g)}n.delSeries=Da;const zi=[!1,!1,!1,!1];function lh(g,M){if(g._show=g.show,g.show){let R=g.side%2,L=S[g.scale];L==null&&(g.scale=R?T[1].scale:A,L=S[g.scale]);let k=L.time;g.size=ce(g.size),g.space=ce(g.space),g.rotate=ce(g.rotate),ts(g.incrs)&&g.incrs.forEach(st=>{!Qi.has(st)&&Qi.set(st,Xf(st))}),g.incrs=ce(g.incrs||(L.distr==2?zM:k?d==1?kM:GM:Ps)),g.splits=ce(g.splits||(k&&L.distr==1?J:L.distr==3?Yc:L.distr==4?aS:oS)),g.stroke=ce(g.stroke),g.grid.stroke=ce(g.grid.stroke),g.ticks.stroke=ce(g.ticks.stroke),g.border.stroke=ce(g.border.stroke);let q=g.values;g.values=ts(q)&&!ts(q[0])?ce(q):k?ts(q)?ld($,ad(q,Q)):qf(q)?YM($,q):q||at:q||rS,g.filter=ce(g.filter||(L.distr>=3&&L.log==10?hS:L.distr==3&&L.log==2?uS:Hf)),g.font=Gd(g.font),g.labelFont=Gd(g.labelFont),g._size=g.size(n,null,M,0),g._space=g._rotate=g._incrs=g._found=g._splits=g._values=null,g._size>0&&(zi[M]=!0,g._el=Zn(jx,f))}}function Is(g,M,R,L){let[k,q,st,ct]=R,mt=M%2,wt=0;return mt==0&&(ct||q)&&(wt=M==0&&!k||M==2&&!st?Qe(gd.size/3):0),mt==1&&(k||st)&&(wt=M==1&&!q||M==3&&!ct?Qe(Md.size/2):0),wt}const La=n.padding=(i.padding||[Is,Is,Is,Is]).map(g=>ce(de(g,Is))),Ei=n._padding=La.map((g,M)=>g(n,M,zi,0));let en,y=null,V=null;const Z=s==1?T[0].idxs:null;let j=null,G=!1;function dt(g,M){if(t=g??[],n.data=n._data=t,s==2){en=0;for(let R=1;R<T.length;R++)en+=t[R][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),j=t[0],en=j.length;let R=t;if(H==2){R=t.slice();let L=R[0]=Array(en);for(let k=0;k<en;k++)L[k]=k}n._data=t=R}if(Ar(!0),hn("setData"),H==2&&(jt=!0),M!==!1){let R=C;R.auto(n,G)?yt():rs(A,R.min,R.max),z=z||_t.left>=0,pt=!0,Rr()}}n.setData=dt;function yt(){G=!0;let g,M;s==1&&(en>0?(y=Z[0]=0,V=Z[1]=en-1,g=t[0][y],M=t[0][V],H==2?(g=y,M=V):g==M&&(H==3?[g,M]=ua(g,g,C.log,!1):H==4?[g,M]=Uc(g,g,C.log,!1):C.time?M=g+Qe(86400/d):[g,M]=fa(g,M,Ic,!0))):(y=Z[0]=g=null,V=Z[1]=M=null)),rs(A,g,M)}let Lt,Tt,Xt,Yt,kt,oe,me,Le,Ee,ie;function Wt(g,M,R,L,k,q){g??(g=Mf),R??(R=Bc),L??(L="butt"),k??(k=Mf),q??(q="round"),g!=Lt&&(h.strokeStyle=Lt=g),k!=Tt&&(h.fillStyle=Tt=k),M!=Xt&&(h.lineWidth=Xt=M),q!=kt&&(h.lineJoin=kt=q),L!=oe&&(h.lineCap=oe=L),R!=Yt&&h.setLineDash(Yt=R)}function Ue(g,M,R,L){M!=Tt&&(h.fillStyle=Tt=M),g!=me&&(h.font=me=g),R!=Le&&(h.textAlign=Le=R),L!=Ee&&(h.textBaseline=Ee=L)}function he(g,M,R,L,k=0){if(L.length>0&&g.auto(n,G)&&(M==null||M.min==null)){let q=de(y,0),st=de(V,L.length-1),ct=R.min==null?uM(L,q,st,k,g.distr==3):[R.min,R.max];g.min=ci(g.min,R.min=ct[0]),g.max=Sn(g.max,R.max=ct[1])}}const _n={min:null,max:null};function ns(){for(let L in S){let k=S[L];X[L]==null&&(k.min==null||X[A]!=null&&k.auto(n,G))&&(X[L]=_n)}for(let L in S){let k=S[L];X[L]==null&&k.from!=null&&X[k.from]!=null&&(X[L]=_n)}X[A]!=null&&Ar(!0);let g={};for(let L in X){let k=X[L];if(k!=null){let q=g[L]=Sr(S[L],MM);if(k.min!=null)qe(q,k);else if(L!=A||s==2)if(en==0&&q.from==null){let st=q.range(n,null,null,L);q.min=st[0],q.max=st[1]}else q.min=Re,q.max=-Re}}if(en>0){T.forEach((L,k)=>{if(s==1){let q=L.scale,st=X[q];if(st==null)return;let ct=g[q];if(k==0){let mt=ct.range(n,ct.min,ct.max,q);ct.min=mt[0],ct.max=mt[1],y=li(ct.min,t[0]),V=li(ct.max,t[0]),V-y>1&&(t[0][y]<ct.min&&y++,t[0][V]>ct.max&&V--),L.min=j[y],L.max=j[V]}else L.show&&L.auto&&he(ct,st,L,t[k],L.sorted);L.idxs[0]=y,L.idxs[1]=V}else if(k>0&&L.show&&L.auto){let[q,st]=L.facets,ct=q.scale,mt=st.scale,[wt,Rt]=t[k],Ut=g[ct],te=g[mt];Ut!=null&&he(Ut,X[ct],q,wt,q.sorted),te!=null&&he(te,X[mt],st,Rt,st.sorted),L.min=st.min,L.max=st.max}});for(let L in g){let k=g[L],q=X[L];if(k.from==null&&(q==null||q.min==null)){let st=k.range(n,k.min==Re?null:k.min,k.max==-Re?null:k.max,L);k.min=st[0],k.max=st[1]}}}for(let L in g){let k=g[L];if(k.from!=null){let q=g[k.from];if(q.min==null)k.min=k.max=null;else{let st=k.range(n,q.min,q.max,L);k.min=st[0],k.max=st[1]}}}let M={},R=!1;for(let L in g){let k=g[L],q=S[L];if(q.min!=k.min||q.max!=k.max){q.min=k.min,q.max=k.max;let st=q.distr;q._min=st==3?Fi(q.min):st==4?Fc(q.min,q.asinh):st==100?q.fwd(q.min):q.min,q._max=st==3?Fi(q.max):st==4?Fc(q.max,q.asinh):st==100?q.fwd(q.max):q.max,M[L]=R=!0}}if(R){T.forEach((L,k)=>{s==2?k>0&&M.y&&(L._paths=null):M[L.scale]&&(L._paths=null)});for(let L in M)jt=!0,hn("setScale",L);Zt&&_t.left>=0&&(z=pt=!0)}for(let L in X)X[L]=null}function En(g){let M=Oc(y-1,0,en-1),R=Oc(V+1,0,en-1);for(;g[M]==null&&M>0;)M--;for(;g[R]==null&&R<en-1;)R++;return[M,R]}function Ns(){if(en>0){let g=T.some(M=>M._focus)&&ie!=Vn.alpha;g&&(h.globalAlpha=ie=Vn.alpha),T.forEach((M,R)=>{if(R>0&&M.show&&(Ie(R,!1),Ie(R,!0),M._paths==null)){let L=ie;ie!=M.alpha&&(h.globalAlpha=ie=M.alpha);let k=s==2?[0,t[R][0].length-1]:En(t[R]);M._paths=M.paths(n,R,k[0],k[1]),ie!=L&&(h.globalAlpha=ie=L)}}),T.forEach((M,R)=>{if(R>0&&M.show){let L=ie;ie!=M.alpha&&(h.globalAlpha=ie=M.alpha),M._paths!=null&&bn(R,!1);{let k=M._paths!=null?M._paths.gaps:null,q=M.points.show(n,R,y,V,k),st=M.points.filter(n,R,q,k);(q||st)&&(M.points._paths=M.points.paths(n,R,y,V,st),bn(R,!0))}ie!=L&&(h.globalAlpha=ie=L),hn("drawSeries",R)}}),g&&(h.globalAlpha=ie=1)}}function Ie(g,M){let R=M?T[g].points:T[g];R._stroke=R.stroke(n,g),R._fill=R.fill(n,g)}function bn(g,M){let R=M?T[g].points:T[g],{stroke:L,fill:k,clip:q,flags:st,_stroke:ct=R._stroke,_fill:mt=R._fill,_width:wt=R.width}=R._paths;wt=Ce(wt*_e,3);let Rt=null,Ut=wt%2/2;M&&mt==null&&(mt=wt>0?"#fff":ct);let te=R.pxAlign==1&&Ut>0;if(te&&h.translate(Ut,Ut),!M){let xe=At-wt/2,ge=ot-wt/2,le=gt+wt,$t=Bt+wt;Rt=new Path2D,Rt.rect(xe,ge,le,$t)}M?an(ct,wt,R.dash,R.cap,mt,L,k,st,q):In(g,ct,wt,R.dash,R.cap,mt,L,k,st,Rt,q),te&&h.translate(-Ut,-Ut)}function In(g,M,R,L,k,q,st,ct,mt,wt,Rt){let Ut=!1;mt!=0&&D.forEach((te,xe)=>{if(te.series[0]==g){let ge=T[te.series[1]],le=t[te.series[1]],$t=(ge._paths||co).band;ts($t)&&($t=te.dir==1?$t[0]:$t[1]);let Ht,ze=null;ge.show&&$t&&dM(le,y,V)?(ze=te.fill(n,xe)||q,Ht=ge._paths.clip):$t=null,an(M,R,L,k,ze,st,ct,mt,wt,Rt,Ht,$t),Ut=!0}}),Ut||an(M,R,L,k,q,st,ct,mt,wt,Rt)}const on=Er|$c;function an(g,M,R,L,k,q,st,ct,mt,wt,Rt,Ut){Wt(g,M,R,L,k),(mt||wt||Ut)&&(h.save(),mt&&h.clip(mt),wt&&h.clip(wt)),Ut?(ct&on)==on?(h.clip(Ut),Rt&&h.clip(Rt),Qn(k,st),is(g,q,M)):ct&$c?(Qn(k,st),h.clip(Ut),is(g,q,M)):ct&Er&&(h.save(),h.clip(Ut),Rt&&h.clip(Rt),Qn(k,st),h.restore(),is(g,q,M)):(Qn(k,st),is(g,q,M)),(mt||wt||Ut)&&h.restore()}function is(g,M,R){R>0&&(M instanceof Map?M.forEach((L,k)=>{h.strokeStyle=Lt=k,h.stroke(L)}):M!=null&&g&&h.stroke(M))}function Qn(g,M){M instanceof Map?M.forEach((R,L)=>{h.fillStyle=Tt=L,h.fill(R)}):M!=null&&g&&h.fill(M)}function Qy(g,M,R,L){let k=w[g],q;if(L<=0)q=[0,0];else{let st=k._space=k.space(n,g,M,R,L),ct=k._incrs=k.incrs(n,g,M,R,L,st);q=US(M,R,ct,L,st)}return k._found=q}function ch(g,M,R,L,k,q,st,ct,mt,wt){let Rt=st%2/2;x==1&&h.translate(Rt,Rt),Wt(ct,st,mt,wt,ct),h.beginPath();let Ut,te,xe,ge,le=k+(L==0||L==3?-q:q);R==0?(te=k,ge=le):(Ut=k,xe=le);for(let $t=0;$t<g.length;$t++)M[$t]!=null&&(R==0?Ut=xe=g[$t]:te=ge=g[$t],h.moveTo(Ut,te),h.lineTo(xe,ge));h.stroke(),x==1&&h.translate(-Rt,-Rt)}function tE(g){let M=!0;return w.forEach((R,L)=>{if(!R.show)return;let k=S[R.scale];if(k.min==null){R._show&&(M=!1,R._show=!1,Ar(!1));return}else R._show||(M=!1,R._show=!0,Ar(!1));let q=R.side,st=q%2,{min:ct,max:mt}=k,[wt,Rt]=Qy(L,ct,mt,st==0?v:N);if(Rt==0)return;let Ut=k.distr==2,te=R._splits=R.splits(n,L,ct,mt,wt,Rt,Ut),xe=k.distr==2?te.map(Ht=>j[Ht]):te,ge=k.distr==2?j[te[1]]-j[te[0]]:wt,le=R._values=R.values(n,R.filter(n,xe,L,Rt,ge),L,Rt,ge);R._rotate=q==2?R.rotate(n,le,L,Rt):0;let $t=R._size;R._size=Jn(R.size(n,le,L,g)),$t!=null&&R._size!=$t&&(M=!1)}),M}function eE(g){let M=!0;return La.forEach((R,L)=>{let k=R(n,L,zi,g);k!=Ei[L]&&(M=!1),Ei[L]=k}),M}function nE(){for(let g=0;g<w.length;g++){let M=w[g];if(!M.show||!M._show)continue;let R=M.side,L=R%2,k,q,st=M.stroke(n,g),ct=R==0||R==3?-1:1,[mt,wt]=M._found;if(M.label!=null){let wn=M.labelGap*ct,Xn=Qe((M._lpos+wn)*_e);Ue(M.labelFont[0],st,"center",R==2?oo:xf),h.save(),L==1?(k=q=0,h.translate(Xn,Qe(ot+Bt/2)),h.rotate((R==3?-da:da)/2)):(k=Qe(At+gt/2),q=Xn);let Bs=zf(M.label)?M.label(n,g,mt,wt):M.label;h.fillText(Bs,k,q),h.restore()}if(wt==0)continue;let Rt=S[M.scale],Ut=L==0?gt:Bt,te=L==0?At:ot,xe=M._splits,ge=Rt.distr==2?xe.map(wn=>j[wn]):xe,le=Rt.distr==2?j[xe[1]]-j[xe[0]]:mt,$t=M.ticks,Ht=M.border,ze=$t.show?$t.size:0,Ge=Qe(ze*_e),un=Qe((M.alignTo==2?M._size-ze-M.gap:M.gap)*_e),Ae=M._rotate*-da/180,We=m(M._pos*_e),Gn=(Ge+un)*ct,Tn=We+Gn;q=L==0?Tn:0,k=L==1?Tn:0;let ti=M.font[0],ui=M.align==1?gr:M.align==2?Ec:Ae>0?gr:Ae<0?Ec:L==0?"center":R==3?Ec:gr,wi=Ae||L==1?"middle":R==2?oo:xf;Ue(ti,st,ui,wi);let Wn=M.font[1]*M.lineGap,ei=xe.map(wn=>m(a(wn,Rt,Ut,te))),fi=M._values;for(let wn=0;wn<fi.length;wn++){let Xn=fi[wn];if(Xn!=null){L==0?k=ei[wn]:q=ei[wn],Xn=""+Xn;let Bs=Xn.indexOf(`
`)==-1?[Xn]:Xn.split(/\n/gm);for(let An=0;An<Bs.length;An++){let Up=Bs[An];Ae?(h.save(),h.translate(k,q+An*Wn),h.rotate(Ae),h.fillText(Up,0,0),h.restore()):h.fillText(Up,k,q+An*Wn)}}}$t.show&&ch(ei,$t.filter(n,ge,g,wt,le),L,R,We,Ge,Ce($t.width*_e,3),$t.stroke(n,g),$t.dash,$t.cap);let Ai=M.grid;Ai.show&&ch(ei,Ai.filter(n,ge,g,wt,le),L,L==0?2:1,L==0?ot:At,L==0?Bt:gt,Ce(Ai.width*_e,3),Ai.stroke(n,g),Ai.dash,Ai.cap),Ht.show&&ch([We],[1],L==0?1:0,L==0?1:2,L==1?ot:At,L==1?Bt:gt,Ce(Ht.width*_e,3),Ht.stroke(n,g),Ht.dash,Ht.cap)}hn("drawAxes")}function Ar(g){T.forEach((M,R)=>{R>0&&(M._paths=null,g&&(s==1?(M.min=null,M.max=null):M.facets.forEach(L=>{L.min=null,L.max=null})))})}let Ua=!1,hh=!1,mo=[];function iE(){hh=!1;for(let g=0;g<mo.length;g++)hn(...mo[g]);mo.length=0}function Rr(){Ua||(AM(mp),Ua=!0)}function sE(g,M=!1){Ua=!0,hh=M,g(n),mp(),M&&mo.length>0&&queueMicrotask(iE)}n.batch=sE;function mp(){if(Ot&&(ns(),Ot=!1),jt&&(Ft(),jt=!1),Mt){if(Ne(p,gr,K),Ne(p,oo,it),Ne(p,so,v),Ne(p,ro,N),Ne(_,gr,K),Ne(_,oo,it),Ne(_,so,v),Ne(_,ro,N),Ne(f,so,ve),Ne(f,ro,P),u.width=Qe(ve*_e),u.height=Qe(P*_e),w.forEach(({_el:g,_show:M,_size:R,_pos:L,side:k})=>{if(g!=null)if(M){let q=k===3||k===0?R:0,st=k%2==1;Ne(g,st?"left":"top",L-q),Ne(g,st?"width":"height",R),Ne(g,st?"top":"left",st?it:K),Ne(g,st?"height":"width",st?N:v),Pc(g,ws)}else zn(g,ws)}),Lt=Tt=Xt=kt=oe=me=Le=Ee=Yt=null,ie=1,vo(!0),K!=et||it!=Nt||v!=ut||N!=Dt){Ar(!1);let g=v/ut,M=N/Dt;if(Zt&&!z&&_t.left>=0){_t.left*=g,_t.top*=M,Cr&&Mi(Cr,Qe(_t.left),0,v,N),Pr&&Mi(Pr,0,Qe(_t.top),v,N);for(let R=0;R<yn.length;R++){let L=yn[R];L!=null&&(Bi[R]*=g,hi[R]*=M,Mi(L,Jn(Bi[R]),Jn(hi[R]),v,N))}}if(Be.show&&!ft&&Be.left>=0&&Be.width>0){Be.left*=g,Be.width*=g,Be.top*=M,Be.height*=M;for(let R in gh)Ne(Ur,R,Be[R])}et=K,Nt=it,ut=v,Dt=N}hn("setSize"),Mt=!1}ve>0&&P>0&&(h.clearRect(0,0,u.width,u.height),hn("drawClear"),O.forEach(g=>g()),hn("draw")),Be.show&&ft&&(Ia(Be),ft=!1),Zt&&z&&(Os(null,!0,!1),z=!1),St.show&&St.live&&pt&&(ph(),pt=!1),l||(l=!0,n.status=1,hn("ready")),G=!1,Ua=!1}n.redraw=(g,M)=>{jt=M||!1,g!==!1?rs(A,C.min,C.max):Rr()};function uh(g,M){let R=S[g];if(R.from==null){if(en==0){let L=R.range(n,M.min,M.max,g);M.min=L[0],M.max=L[1]}if(M.min>M.max){let L=M.min;M.min=M.max,M.max=L}if(en>1&&M.min!=null&&M.max!=null&&M.max-M.min<1e-16)return;g==A&&R.distr==2&&en>0&&(M.min=li(M.min,t[0]),M.max=li(M.max,t[0]),M.min==M.max&&M.max++),X[g]=M,Ot=!0,Rr()}}n.setScale=uh;let fh,dh,Cr,Pr,gp,_p,Dr,Lr,vp,xp,Oe,ke,ss=!1;const pn=_t.drag;let ln=pn.x,cn=pn.y;Zt&&(_t.x&&(fh=Zn(Zx,_)),_t.y&&(dh=Zn(Jx,_)),C.ori==0?(Cr=fh,Pr=dh):(Cr=dh,Pr=fh),Oe=_t.left,ke=_t.top);const Be=n.select=qe({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Ur=Be.show?Zn(Kx,Be.over?_:p):null;function Ia(g,M){if(Be.show){for(let R in g)Be[R]=g[R],R in gh&&Ne(Ur,R,g[R]);M!==!1&&hn("setSelect")}}n.setSelect=Ia;function rE(g){if(T[g].show)ne&&Pc(xt[g],ws);else if(ne&&zn(xt[g],ws),Zt){let R=yi?yn[0]:yn[g];R!=null&&Mi(R,-10,-10,v,N)}}function rs(g,M,R){uh(g,{min:M,max:R})}function bi(g,M,R,L){M.focus!=null&&hE(g),M.show!=null&&T.forEach((k,q)=>{q>0&&(g==q||g==null)&&(k.show=M.show,rE(q),s==2?(rs(k.facets[0].scale,null,null),rs(k.facets[1].scale,null,null)):rs(k.scale,null,null),Rr())}),R!==!1&&hn("setSeries",g,M),L&&xo("setSeries",n,g,M)}n.setSeries=bi;function oE(g,M){qe(D[g],M)}function aE(g,M){g.fill=ce(g.fill||null),g.dir=de(g.dir,-1),M=M??D.length,D.splice(M,0,g)}function lE(g){g==null?D.length=0:D.splice(g,1)}n.addBand=aE,n.setBand=oE,n.delBand=lE;function cE(g,M){T[g].alpha=M,Zt&&yn[g]!=null&&(yn[g].style.opacity=M),ne&&xt[g]&&(xt[g].style.opacity=M)}let ki,os,Fs;const Ir={focus:!0};function hE(g){if(g!=Fs){let M=g==null,R=Vn.alpha!=1;T.forEach((L,k)=>{if(s==1||k>0){let q=M||k==0||k==g;L._focus=M?null:q,R&&cE(k,q?1:Vn.alpha)}}),Fs=g,R&&Rr()}}ne&&Un&&Vt(Ef,nt,g=>{_t._lock||(dn(g),Fs!=null&&bi(null,Ir,!0,$e.setSeries))});function Ti(g,M,R){let L=S[M];R&&(g=g/_e-(L.ori==1?it:K));let k=v;L.ori==1&&(k=N,g=k-g),L.dir==-1&&(g=k-g);let q=L._min,st=L._max,ct=g/k,mt=q+(st-q)*ct,wt=L.distr;return wt==3?xr(10,mt):wt==4?mM(mt,L.asinh):wt==100?L.bwd(mt):mt}function uE(g,M){let R=Ti(g,A,M);return li(R,t[0],y,V)}n.valToIdx=g=>li(g,t[0]),n.posToIdx=uE,n.posToVal=Ti,n.valToPos=(g,M,R)=>S[M].ori==0?r(g,S[M],R?gt:v,R?At:0):o(g,S[M],R?Bt:N,R?ot:0),n.setCursor=(g,M,R)=>{Oe=g.left,ke=g.top,Os(null,M,R)};function Mp(g,M){Ne(Ur,gr,Be.left=g),Ne(Ur,so,Be.width=M)}function Sp(g,M){Ne(Ur,oo,Be.top=g),Ne(Ur,ro,Be.height=M)}let go=C.ori==0?Mp:Sp,_o=C.ori==1?Mp:Sp;function fE(){if(ne&&St.live)for(let g=s==2?1:0;g<T.length;g++){if(g==0&&I)continue;let M=St.values[g],R=0;for(let L in M)Jt[g][R++].firstChild.nodeValue=M[L]}}function ph(g,M){if(g!=null&&(g.idxs?g.idxs.forEach((R,L)=>{vt[L]=R}):xM(g.idx)||vt.fill(g.idx),St.idx=vt[0]),ne&&St.live){for(let R=0;R<T.length;R++)(R>0||s==1&&!I)&&dE(R,vt[R]);fE()}pt=!1,M!==!1&&hn("setLegend")}n.setLegend=ph;function dE(g,M){let R=T[g],L=g==0&&H==2?j:t[g],k;I?k=R.values(n,g,M)??ue:(k=R.value(n,M==null?null:L[M],g,M),k=k==null?ue:{_:k}),St.values[g]=k}function Os(g,M,R){vp=Oe,xp=ke,[Oe,ke]=_t.move(n,Oe,ke),_t.left=Oe,_t.top=ke,Zt&&(Cr&&Mi(Cr,Qe(Oe),0,v,N),Pr&&Mi(Pr,0,Qe(ke),v,N));let L,k=y>V;ki=Re,os=null;let q=C.ori==0?v:N,st=C.ori==1?v:N;if(Oe<0||en==0||k){L=_t.idx=null;for(let ct=0;ct<T.length;ct++){let mt=yn[ct];mt!=null&&Mi(mt,-10,-10,v,N)}Un&&bi(null,Ir,!0,g==null&&$e.setSeries),St.live&&(vt.fill(L),pt=!0)}else{let ct,mt,wt;s==1&&(ct=C.ori==0?Oe:ke,mt=Ti(ct,A),L=_t.idx=li(mt,t[0],y,V),wt=B(t[0][L],C,q,0));let Rt=-10,Ut=-10,te=0,xe=0,ge=!0,le="",$t="";for(let Ht=s==2?1:0;Ht<T.length;Ht++){let ze=T[Ht],Ge=vt[Ht],un=Ge==null?null:s==1?t[Ht][Ge]:t[Ht][1][Ge],Ae=_t.dataIdx(n,Ht,L,mt),We=Ae==null?null:s==1?t[Ht][Ae]:t[Ht][1][Ae];if(pt=pt||We!=un||Ae!=Ge,vt[Ht]=Ae,Ht>0&&ze.show){let Gn=Ae==null?-10:Ae==L?wt:B(s==1?t[0][Ae]:t[Ht][0][Ae],C,q,0),Tn=We==null?-10:W(We,s==1?S[ze.scale]:S[ze.facets[1].scale],st,0);if(Un&&We!=null){let ti=C.ori==1?Oe:ke,ui=Je(Vn.dist(n,Ht,Ae,Tn,ti));if(ui<ki){let wi=Vn.bias;if(wi!=0){let Wn=Ti(ti,ze.scale),ei=We>=0?1:-1,fi=Wn>=0?1:-1;fi==ei&&(fi==1?wi==1?We>=Wn:We<=Wn:wi==1?We<=Wn:We>=Wn)&&(ki=ui,os=Ht)}else ki=ui,os=Ht}}if(pt||yi){let ti,ui;C.ori==0?(ti=Gn,ui=Tn):(ti=Tn,ui=Gn);let wi,Wn,ei,fi,Ai,wn,Xn=!0,Bs=Pe.bbox;if(Bs!=null){Xn=!1;let An=Bs(n,Ht);ei=An.left,fi=An.top,wi=An.width,Wn=An.height}else ei=ti,fi=ui,wi=Wn=Pe.size(n,Ht);if(wn=Pe.fill(n,Ht),Ai=Pe.stroke(n,Ht),yi)Ht==os&&ki<=Vn.prox&&(Rt=ei,Ut=fi,te=wi,xe=Wn,ge=Xn,le=wn,$t=Ai);else{let An=yn[Ht];An!=null&&(Bi[Ht]=ei,hi[Ht]=fi,Pf(An,wi,Wn,Xn),Rf(An,wn,Ai),Mi(An,Jn(ei),Jn(fi),v,N))}}}}if(yi){let Ht=Vn.prox,ze=Fs==null?ki<=Ht:ki>Ht||os!=Fs;if(pt||ze){let Ge=yn[0];Ge!=null&&(Bi[0]=Rt,hi[0]=Ut,Pf(Ge,te,xe,ge),Rf(Ge,le,$t),Mi(Ge,Jn(Rt),Jn(Ut),v,N))}}}if(Be.show&&ss)if(g!=null){let[ct,mt]=$e.scales,[wt,Rt]=$e.match,[Ut,te]=g.cursor.sync.scales,xe=g.cursor.drag;if(ln=xe._x,cn=xe._y,ln||cn){let{left:ge,top:le,width:$t,height:Ht}=g.select,ze=g.scales[Ut].ori,Ge=g.posToVal,un,Ae,We,Gn,Tn,ti=ct!=null&&wt(ct,Ut),ui=mt!=null&&Rt(mt,te);ti&&ln?(ze==0?(un=ge,Ae=$t):(un=le,Ae=Ht),We=S[ct],Gn=B(Ge(un,Ut),We,q,0),Tn=B(Ge(un+Ae,Ut),We,q,0),go(ci(Gn,Tn),Je(Tn-Gn))):go(0,q),ui&&cn?(ze==1?(un=ge,Ae=$t):(un=le,Ae=Ht),We=S[mt],Gn=W(Ge(un,te),We,st,0),Tn=W(Ge(un+Ae,te),We,st,0),_o(ci(Gn,Tn),Je(Tn-Gn))):_o(0,st)}else _h()}else{let ct=Je(vp-gp),mt=Je(xp-_p);if(C.ori==1){let te=ct;ct=mt,mt=te}ln=pn.x&&ct>=pn.dist,cn=pn.y&&mt>=pn.dist;let wt=pn.uni;wt!=null?ln&&cn&&(ln=ct>=wt,cn=mt>=wt,!ln&&!cn&&(mt>ct?cn=!0:ln=!0)):pn.x&&pn.y&&(ln||cn)&&(ln=cn=!0);let Rt,Ut;ln&&(C.ori==0?(Rt=Dr,Ut=Oe):(Rt=Lr,Ut=ke),go(ci(Rt,Ut),Je(Ut-Rt)),cn||_o(0,st)),cn&&(C.ori==1?(Rt=Dr,Ut=Oe):(Rt=Lr,Ut=ke),_o(ci(Rt,Ut),Je(Ut-Rt)),ln||go(0,q)),!ln&&!cn&&(go(0,0),_o(0,0))}if(pn._x=ln,pn._y=cn,g==null){if(R){if(Lp!=null){let[ct,mt]=$e.scales;$e.values[0]=ct!=null?Ti(C.ori==0?Oe:ke,ct):null,$e.values[1]=mt!=null?Ti(C.ori==1?Oe:ke,mt):null}xo(Tc,n,Oe,ke,v,N,L)}if(Un){let ct=R&&$e.setSeries,mt=Vn.prox;Fs==null?ki<=mt&&bi(os,Ir,!0,ct):ki>mt?bi(null,Ir,!0,ct):os!=Fs&&bi(os,Ir,!0,ct)}}pt&&(St.idx=L,ph()),M!==!1&&hn("setCursor")}let as=null;Object.defineProperty(n,"rect",{get(){return as==null&&vo(!1),as}});function vo(g=!1){g?as=null:(as=_.getBoundingClientRect(),hn("syncRect",as))}function yp(g,M,R,L,k,q,st){_t._lock||ss&&g!=null&&g.movementX==0&&g.movementY==0||(mh(g,M,R,L,k,q,st,!1,g!=null),g!=null?Os(null,!0,!0):Os(M,!0,!1))}function mh(g,M,R,L,k,q,st,ct,mt){if(as==null&&vo(!1),dn(g),g!=null)R=g.clientX-as.left,L=g.clientY-as.top;else{if(R<0||L<0){Oe=-10,ke=-10;return}let[wt,Rt]=$e.scales,Ut=M.cursor.sync,[te,xe]=Ut.values,[ge,le]=Ut.scales,[$t,Ht]=$e.match,ze=M.axes[0].side%2==1,Ge=C.ori==0?v:N,un=C.ori==1?v:N,Ae=ze?q:k,We=ze?k:q,Gn=ze?L:R,Tn=ze?R:L;if(ge!=null?R=$t(wt,ge)?a(te,S[wt],Ge,0):-10:R=Ge*(Gn/Ae),le!=null?L=Ht(Rt,le)?a(xe,S[Rt],un,0):-10:L=un*(Tn/We),C.ori==1){let ti=R;R=L,L=ti}}mt&&(M==null||M.cursor.event.type==Tc)&&((R<=1||R>=v-1)&&(R=Cs(R,v)),(L<=1||L>=N-1)&&(L=Cs(L,N))),ct?(gp=R,_p=L,[Dr,Lr]=_t.move(n,R,L)):(Oe=R,ke=L)}const gh={width:0,height:0,left:0,top:0};function _h(){Ia(gh,!1)}let Ep,bp,Tp,wp;function Ap(g,M,R,L,k,q,st){ss=!0,ln=cn=pn._x=pn._y=!1,mh(g,M,R,L,k,q,st,!0,!1),g!=null&&(Vt(wc,Rc,Rp,!1),xo(Sf,n,Dr,Lr,v,N,null));let{left:ct,top:mt,width:wt,height:Rt}=Be;Ep=ct,bp=mt,Tp=wt,wp=Rt}function Rp(g,M,R,L,k,q,st){ss=pn._x=pn._y=!1,mh(g,M,R,L,k,q,st,!1,!0);let{left:ct,top:mt,width:wt,height:Rt}=Be,Ut=wt>0||Rt>0,te=Ep!=ct||bp!=mt||Tp!=wt||wp!=Rt;if(Ut&&te&&Ia(Be),pn.setScale&&Ut&&te){let xe=ct,ge=wt,le=mt,$t=Rt;if(C.ori==1&&(xe=mt,ge=Rt,le=ct,$t=wt),ln&&rs(A,Ti(xe,A),Ti(xe+ge,A)),cn)for(let Ht in S){let ze=S[Ht];Ht!=A&&ze.from==null&&ze.min!=Re&&rs(Ht,Ti(le+$t,Ht),Ti(le,Ht))}_h()}else _t.lock&&(_t._lock=!_t._lock,Os(M,!0,g!=null));g!=null&&(Fe(wc,Rc),xo(wc,n,Oe,ke,v,N,null))}function pE(g,M,R,L,k,q,st){if(_t._lock)return;dn(g);let ct=ss;if(ss){let mt=!0,wt=!0,Rt=10,Ut,te;C.ori==0?(Ut=ln,te=cn):(Ut=cn,te=ln),Ut&&te&&(mt=Oe<=Rt||Oe>=v-Rt,wt=ke<=Rt||ke>=N-Rt),Ut&&mt&&(Oe=Oe<Dr?0:v),te&&wt&&(ke=ke<Lr?0:N),Os(null,!0,!0),ss=!1}Oe=-10,ke=-10,vt.fill(null),Os(null,!0,!0),ct&&(ss=ct)}function Cp(g,M,R,L,k,q,st){_t._lock||(dn(g),yt(),_h(),g!=null&&xo(bf,n,Oe,ke,v,N,null))}function Pp(){w.forEach(IS),Pt(n.width,n.height,!0)}As(la,vr,Pp);const Nr={};Nr.mousedown=Ap,Nr.mousemove=yp,Nr.mouseup=Rp,Nr.dblclick=Cp,Nr.setSeries=(g,M,R,L)=>{let k=$e.match[2];R=k(n,M,R),R!=-1&&bi(R,L,!0,!1)},Zt&&(Vt(Sf,_,Ap),Vt(Tc,_,yp),Vt(yf,_,g=>{dn(g),vo(!1)}),Vt(Ef,_,pE),Vt(bf,_,Cp),Jc.add(n),n.syncRect=vo);const Na=n.hooks=i.hooks||{};function hn(g,M,R){hh?mo.push([g,M,R]):g in Na&&Na[g].forEach(L=>{L.call(null,n,M,R)})}(i.plugins||[]).forEach(g=>{for(let M in g.hooks)Na[M]=(Na[M]||[]).concat(g.hooks[M])});const Dp=(g,M,R)=>R,$e=qe({key:null,setSeries:!1,filters:{pub:Vf,sub:Vf},scales:[A,T[1]?T[1].scale:null],match:[Gf,Gf,Dp],values:[null,null]},_t.sync);$e.match.length==2&&$e.match.push(Dp),_t.sync=$e;const Lp=$e.key,vh=Ad(Lp);function xo(g,M,R,L,k,q,st){$e.filters.pub(g,M,R,L,k,q,st)&&vh.pub(g,M,R,L,k,q,st)}vh.sub(n);function mE(g,M,R,L,k,q,st){$e.filters.sub(g,M,R,L,k,q,st)&&Nr[g](null,M,R,L,k,q,st)}n.pub=mE;function gE(){vh.unsub(n),Jc.delete(n),Ct.clear(),Lc(la,vr,Pp),c.remove(),nt?.remove(),hn("destroy")}n.destroy=gE;function xh(){hn("init",i,t),dt(t||i.data,!1),X[A]?uh(A,X[A]):yt(),ft=Be.show&&(Be.width>0||Be.height>0),z=pt=!0,Pt(i.width,i.height)}return T.forEach(Us),w.forEach(lh),e?e instanceof HTMLElement?(e.appendChild(c),xh()):e(n,xh):xh(),n}rn.assign=qe,rn.fmtNum=Nc,rn.rangeNum=fa,rn.rangeLog=ua,rn.rangeAsinh=Uc,rn.orient=Ds,rn.pxRatio=_e,rn.join=wM,rn.fmtDate=zc,rn.tzDate=OM,rn.sync=Ad;{rn.addGap=vS,rn.clipGaps=xa;let i=rn.paths={points:Id};i.linear=Fd,i.stepped=SS,i.bars=yS,i.spline=bS}const Wd=[[],[8,5],[2,3],[10,4,2,4],[16,5],[5,2],[14,4,2,4,2,4],[1,6]],NS=8;function FS(i){const t=[];return i.forEach((e,n)=>{for(const s of e.plots){let r=t.find(o=>o.plot.title===s.title);r||t.push(r={plot:s,curves:[],note:s.note,size:0}),r.size=Math.max(r.size,s.size);for(const o of s.series)r.curves.push({name:i.length>1?`${o.name} · ${e.label}`:o.name,channel:o.name,dash:Wd[n%Wd.length],time:s.time,values:o.values,bounds:o.bounds??null})}}),t}const Xd=["Controls","Joint","Energy","Gaps","","Linear momentum","Angular momentum","Convergence","Residuals","Time step"];function Yd(i){const t=Xd.findIndex(e=>e!==""&&i.startsWith(e));return t<0?Xd.indexOf(""):t}function OS(i){return[...i].sort((t,e)=>Yd(t.plot.title)-Yd(e.plot.title))}function BS(i,t){return Array.from(i,e=>Number.isFinite(e)?t!=="log"?e:e===0?null:Math.log10(Math.abs(e)):null)}function zS(i,t,e=0){if(!Number.isFinite(i)||!Number.isFinite(t))return[-1,1];const n=Math.max(Math.abs(i),Math.abs(t));if(e>0&&n<=1e-9*e)return[-e,e];if(n===0)return[-1,1];if(t-i<=1e-9*n)return[i-.1*n,t+.1*n];const s=.06*(t-i);return[i-s,t+s]}function kS(i){const t=new Map;for(const{bounds:e,channel:n}of i)for(const s of e??[])s===null||!Number.isFinite(s)||t.set(s,(t.get(s)??new Set).add(n));return[...t].map(([e,n])=>({value:e,channels:[...n]}))}function HS(i,t,e){const n=t-i||Math.max(Math.abs(i),Math.abs(t))||1/0,s=e.filter(r=>Math.max(i-r,r-t)<=NS*n);return[Math.min(i,...s),Math.max(t,...s)]}function qd(i,t,e){const{time:n,values:s}=i,r=n.length-1,o=r>0?1e-9*(n[r]-n[0]):0;if(r<0||t<n[0]-o||t>n[r]+o)return NaN;const a=zr(n,t),l=Math.min(a+1,r),c=n[l]-n[a];return e||c<=0?s[a]:s[a]+Math.max(t-n[a],0)/c*(s[l]-s[a])}function VS(i){return i.curves.every(({values:t})=>{let[e,n]=[1/0,-1/0];for(const s of t)Number.isFinite(s)&&([e,n]=[Math.min(e,s),Math.max(n,s)]);return!(n-e>1e-9*Math.max(Math.abs(e),Math.abs(n),i.size))})}const GS=1e-12;function th(i){const{scale:t,axis:e}=i.plot;return VS(i)||t==="log"&&e===""&&i.curves.every(({values:n})=>n.every(s=>!(Math.abs(s)>GS)))}const $d=190,WS=8;function XS(i){if(!i||i.every(n=>n===null))return"";const[t,e]=i.map(n=>n===null?null:Rn(n));return t===null?` ≤ ${e}`:e===null?` ≥ ${t}`:` in [${t}, ${e}]`}class YS{constructor(t,e,n,s,r,o){this.merged=t,this.clock=e,this.theme=n,this.channels=s,this.marks=r,this.phases=o,this.chart=null,this.hidden=new Set,this.holder=Y("div",{class:"chart"}),this.marker=Y("div",{class:"now"}),this.tip=Y("div",{class:"plot-tip","aria-hidden":"true"}),this.readouts=[],this.width=0,this.hovered=null;const{plot:a,curves:l}=t;this.bounds=kS(l);const c=Y("div",{class:"legend",role:"group","aria-label":"curves"});l.forEach((p,_)=>{const x=Y("span",{class:"value"}),m=Y("button",{type:"button","aria-pressed":"true",title:"Show or hide this curve",click:()=>this.toggle(_,m)},this.swatch(p),Y("span",{class:"name"},p.name),...l.findIndex(d=>d.channel===p.channel)===_?[Y("span",{class:"bounds"},XS(p.bounds))]:[],x);this.readouts.push(x),c.append(m)});const u=a.unit?`${a.title} in ${a.unit}`:a.title;this.root=Y("figure",{class:"plot"},Y("figcaption",{},u),this.holder,c);const h=[t.note,this.bounds.length>0?"Horizontal lines are bounds.":""].filter(p=>p!=="");h.length>0&&this.root.append(Y("p",{class:"note-line"},h.join(" "))),this.holder.setAttribute("role","img"),this.holder.setAttribute("aria-label",`${u} over ${this.timed?"time in s":a.axis}`);const f=l.map(p=>[Array.from(p.time),BS(p.values,a.scale)]);this.data=f.length===1?f[0]:rn.join(f),n.onChange(()=>this.rebuild())}get timed(){return this.merged.plot.axis===""}colour(t){return this.channels.colour(t.channel,this.theme.dark)}swatch(t){const e=document.createElementNS("http://www.w3.org/2000/svg","svg");e.setAttribute("class","swatch"),e.setAttribute("aria-hidden","true"),e.setAttribute("viewBox","0 0 28 6");const n=document.createElementNS("http://www.w3.org/2000/svg","line");for(const[s,r]of Object.entries({x1:0,y1:3,x2:28,y2:3,"stroke-width":3,"stroke-dasharray":t.dash.join(" ")}))n.setAttribute(s,String(r));return n.style.stroke=this.colour(t),e.append(n),e}toggle(t,e){this.hidden.has(t)?this.hidden.delete(t):this.hidden.add(t),e.setAttribute("aria-pressed",String(!this.hidden.has(t))),this.chart?.setSeries(t+1,{show:!this.hidden.has(t)})}resize(){const t=Math.floor(this.holder.clientWidth);t===0||t===this.width||(this.width=t,this.chart?this.chart.setSize({width:t,height:$d}):this.rebuild(),this.update(!0))}rebuild(){this.width!==0&&(this.chart?.destroy(),this.chart=new rn(this.options(),this.data,this.holder),this.timed&&this.chart.over.append(this.marker),this.holder.append(this.tip),this.listen(this.chart.over),this.root.querySelectorAll(".legend .swatch line").forEach((t,e)=>{t.style.stroke=this.colour(this.merged.curves[e])}),this.update(!0))}options(){const{plot:t,curves:e,size:n}=this.merged,s=this.theme.colour("--muted"),r=this.theme.colour("--line"),o=t.scale==="log",a={stroke:s,font:"12px system-ui, sans-serif",grid:{stroke:r,width:1},ticks:{stroke:r,width:1,size:4}},l=h=>o?h.map(f=>Number.isInteger(f)?`1e${f}`:""):Eh(h),c=(h,f)=>{const[p,_]=this.timed?[this.clock.start,this.clock.end]:[h??0,f??1];return[p,_>p?_:p+1]},u=(h,f)=>h===null||f===null?[-1,1]:o?[Math.floor(h-.1),Math.ceil(f+.1)]:zS(...HS(h,f,this.bounds.map(p=>p.value)),n);return{width:this.width,height:$d,legend:{show:!1},cursor:{drag:{x:!1,y:!1},y:!1,points:{show:!1}},padding:[this.timed&&this.phases.length>0?18:8,18,0,0],scales:{x:{time:!1,range:(h,f,p)=>c(f,p)},y:{range:(h,f,p)=>u(f,p)}},axes:[{...a,label:this.timed?"time in s":t.axis,labelFont:"12px system-ui, sans-serif",labelSize:18,size:28,values:(h,f)=>Eh(f)},{...a,space:28,incrs:o?[1,2,3,4,5,10]:void 0,values:(h,f)=>l(f),size:(h,f)=>16+6.9*Math.max(3,...(f??[]).map(p=>p.length))}],series:[{},...e.map((h,f)=>({label:String(f),stroke:this.colour(h),width:f===0&&e.length>1?3:1.6,dash:h.dash,spanGaps:!0,show:!this.hidden.has(f),points:{show:h.time.length===1},paths:t.scale==="steps"?rn.paths.stepped({align:1}):void 0}))],hooks:{drawClear:[h=>this.drawPhases(h),h=>this.drawMarks(h)],drawAxes:[h=>this.drawBounds(h)],draw:[()=>this.moveLine()]}}}drawPhases(t){if(!this.timed||this.phases.length===0)return;const{ctx:e,bbox:n}=t,s=window.devicePixelRatio||1;e.save(),e.font=`${11*s}px system-ui, sans-serif`,e.textBaseline="bottom",this.phases.forEach(({name:r,span:o},a)=>{const[l,c]=o.map(u=>Math.min(Math.max(t.valToPos(u,"x",!0),n.left),n.left+n.width));e.fillStyle=this.theme.colour("--muted"),e.globalAlpha=.08,a%2===1&&e.fillRect(l,n.top,c-l,n.height),e.globalAlpha=.9,e.measureText(r).width+8*s<c-l&&e.fillText(r,l+4*s,n.top-3*s)}),e.restore()}drawMarks(t){const{ctx:e,bbox:n}=t;if(e.save(),this.timed){const s=new Set;for(const r of this.marks)s.add(Math.round(t.valToPos(r,"x",!0)));e.fillStyle=this.theme.colour("--contact"),e.globalAlpha=Math.min(.35,Math.max(.04,8/s.size));for(const r of s)r>=n.left&&r<=n.left+n.width&&e.fillRect(r,n.top,1,n.height)}e.restore()}drawBounds(t){const{ctx:e,bbox:n}=t;e.save();const s=1.5*(window.devicePixelRatio||1),r=new Set(this.merged.curves.map(h=>h.channel)).size,o=this.theme.colour("--limit"),a=h=>Math.min(Math.max(t.valToPos(h,"y",!0),n.top),n.top+n.height);for(const{value:h,channels:f}of this.bounds){const p=t.valToPos(h,"y",!0);p<n.top||p>n.top+n.height||(e.fillStyle=f.length===1&&r>1?this.channels.colour(f[0],this.theme.dark):o,e.globalAlpha=.9,e.fillRect(n.left,Math.round(p-s/2),n.width,s))}const l=this.merged.curves.map(h=>h.bounds??[null,null]),[c,u]=[0,1].map(h=>l.map(f=>f[h]));if(e.globalAlpha=.07,e.fillStyle=o,u.every(h=>h!==null)&&e.fillRect(n.left,n.top,n.width,a(Math.max(...u))-n.top),c.every(h=>h!==null)){const h=a(Math.min(...c));e.fillRect(n.left,h,n.width,n.top+n.height-h)}e.restore()}listen(t){const e=s=>s.clientX-t.getBoundingClientRect().left,n=s=>{this.chart&&this.timed&&this.clock.seek(this.chart.posToVal(e(s),"x"))};t.addEventListener("pointerdown",s=>{s.button===0&&(t.setPointerCapture(s.pointerId),n(s))}),t.addEventListener("pointermove",s=>{t.hasPointerCapture(s.pointerId)&&n(s),this.chart&&(this.hovered=this.chart.posToVal(e(s),"x"),this.update(!0),this.showTip(s))}),t.addEventListener("pointerleave",()=>{this.hovered=null,this.tip.classList.remove("on"),this.update(!0)})}showTip(t){const{chart:e,hovered:n}=this;if(!e||n===null)return;const{plot:s,curves:r}=this.merged,o=e.over.getBoundingClientRect(),a=e.posToVal(t.clientY-o.top,"y"),c=[...r.flatMap((x,m)=>{const d=qd(x,n,s.scale==="steps");if(this.hidden.has(m)||!Number.isFinite(d))return[];const T=s.scale==="log"?Math.log10(Math.abs(d)):d;return[{k:m,curve:x,value:d,away:Math.abs(T-a)}]})].sort((x,m)=>x.away-m.away).slice(0,WS).sort((x,m)=>x.k-m.k),u=this.timed?`t = ${Rn(n)} s`:`${s.axis} ${Rn(Math.round(n))}`,h=c.map(({curve:x,value:m})=>Y("div",{},this.swatch(x),Y("span",{class:"name"},x.name),Y("span",{class:"value"},`${Rn(m)} ${s.unit}`.trim())));this.tip.replaceChildren(Y("div",{class:"tip-head"},u),...h),this.tip.classList.add("on");const f=this.holder.getBoundingClientRect(),p=t.clientX-f.left,_=p<f.width/2?p+14:p-14-this.tip.offsetWidth;this.tip.style.transform=`translate(${Math.max(0,Math.min(_,f.width-this.tip.offsetWidth))}px, 10px)`}moveLine(){this.chart&&this.timed&&(this.marker.style.transform=`translateX(${this.chart.valToPos(this.clock.time,"x")}px)`)}update(t){if(!this.chart||(this.moveLine(),!t))return;const{plot:e,curves:n}=this.merged,s=this.hovered??(this.timed?this.clock.time:1/0);this.root.classList.toggle("hovered",this.hovered!==null),n.forEach((r,o)=>{const a=r.values[r.values.length-1],l=s===1/0?a:qd(r,s,e.scale==="steps");this.readouts[o].textContent=Number.isFinite(l)?Rn(l):"–"})}}class qS{constructor(t,e,n,s,r){this.root=Y("div",{class:"plots"}),this.shown=0;const o=OS(FS(t)),a=t.find(f=>f.phases.length>0)?.phases??[],l=f=>new YS(f,e,n,s,r,a),[c,u]=[o.filter(f=>!th(f)).map(l),o.filter(th).map(l)];if(this.cards=[...c,...u],this.root.append(...c.map(f=>f.root)),u.length>0){const f=o.filter(th).map(({plot:_})=>_.title.toLowerCase()),p=Y("details",{class:"constant"},Y("summary",{},`Constant or round-off: ${f.join(", ")}`));p.append(...u.map(_=>_.root)),p.addEventListener("toggle",()=>u.forEach(_=>_.resize())),this.root.append(p)}new ResizeObserver(()=>this.cards.forEach(f=>f.resize())).observe(this.root),e.onChange(()=>{const f=performance.now(),p=!e.playing||f-this.shown>150;p&&(this.shown=f),this.cards.forEach(_=>_.update(p))})}}const $S=new Set(["rest","stick","slide"]),eh=(i,t)=>i.step>0&&$S.has(i.words[i.kind[t]]);function jS(i,t,e,n){const s=ls(i.time,e),r=Math.max(ls(i.time,t-1e-12*Math.max(1,Math.abs(t))),s-4*n),o=[],a=new Map;for(let l=r;l<s;l++){const c=Array.from(i.impulse.subarray(3*l,3*l+3));if(!eh(i,l)){o.push({event:l,vector:c,size:i.strength[l],isForce:!1});continue}const u=`${i.a[l]} ${i.b[l]}`;let h=a.get(u);if(h||(a.set(u,h={mark:{event:l,vector:[0,0,0],size:0,isForce:!0},steps:new Set}),o.push(h.mark)),h.mark.event=l,!h.steps.has(i.time[l])){h.steps.add(i.time[l]);for(let f=0;f<3;f++)h.mark.vector[f]+=c[f];h.mark.size+=i.strength[l]}}for(const{mark:l,steps:c}of a.values()){const u=c.size*i.step;l.vector=l.vector.map(h=>h/u),l.size/=u}return o.slice(-n)}function KS({contacts:i,forces:t},e,n){const s=ls(t.time,e-1e-12*Math.max(1,Math.abs(e))),r=t.time[s];if(r===void 0)return[];let o=s-1;for(;o>=0&&t.time[o]>=r;)o--;const a=o>=0?t.time[o]:-1/0,l=(h,f)=>`${h.words[h.a[f]]} – ${h.words[h.b[f]]}`,c=new Set;for(let h=ls(i.time,a);h<i.count&&i.time[h]<=r;h++)eh(i,h)||c.add(l(i,h));const u=[];for(let h=s;h<t.count&&t.time[h]===r&&u.length<n;h++)c.has(l(t,h))||u.push({event:h,vector:Array.from(t.impulse.subarray(3*h,3*h+3)),size:t.strength[h],isForce:!0,recorded:!0});return u}const ZS=1e-13;function JS(i,t){const e=(r,o)=>Math.hypot(...r.impulse.subarray(3*o,3*o+3)),n=r=>{const o=[];for(const{contacts:a,forces:l}of i){if(r)for(let c=0;c<l.count;c++)o.push(e(l,c));for(let c=0;c<a.count;c++)eh(a,c)===r&&o.push(e(a,c)/(r?a.step:1))}return o.filter(a=>a>ZS).sort((a,l)=>a-l)},s=r=>{const o=r[Math.floor(.95*(r.length-1))]??0;return o>0?.4*t/o:0};return{impulse:s(n(!1)),force:s(n(!0))}}const jd={type:"change"},nh={type:"start"},Kd={type:"end"},Ea=new Fo,Zd=new Ji,QS=Math.cos(70*Im.DEG2RAD),tn=new F,Ln=2*Math.PI,Te={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},ih=1e-6;class ty extends yg{constructor(t,e=null){super(t,e),this.state=Te.NONE,this.target=new F,this.cursor=new F,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:zs.ROTATE,MIDDLE:zs.DOLLY,RIGHT:zs.PAN},this.touches={ONE:ks.ROTATE,TWO:ks.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._domElementKeyEvents=null,this._lastPosition=new F,this._lastQuaternion=new qn,this._lastTargetPosition=new F,this._quat=new qn().setFromUnitVectors(t.up,new F(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new Iu,this._sphericalDelta=new Iu,this._scale=1,this._panOffset=new F,this._rotateStart=new ee,this._rotateEnd=new ee,this._rotateDelta=new ee,this._panStart=new ee,this._panEnd=new ee,this._panDelta=new ee,this._dollyStart=new ee,this._dollyEnd=new ee,this._dollyDelta=new ee,this._dollyDirection=new F,this._mouse=new ee,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=ny.bind(this),this._onPointerDown=ey.bind(this),this._onPointerUp=iy.bind(this),this._onContextMenu=hy.bind(this),this._onMouseWheel=oy.bind(this),this._onKeyDown=ay.bind(this),this._onTouchStart=ly.bind(this),this._onTouchMove=cy.bind(this),this._onMouseDown=sy.bind(this),this._onMouseMove=ry.bind(this),this._interceptControlDown=uy.bind(this),this._interceptControlUp=fy.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.getRootNode().addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.getRootNode().removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.style.touchAction="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(jd),this.update(),this.state=Te.NONE}update(t=null){const e=this.object.position;tn.copy(e).sub(this.target),tn.applyQuaternion(this._quat),this._spherical.setFromVector3(tn),this.autoRotate&&this.state===Te.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=Ln:n>Math.PI&&(n-=Ln),s<-Math.PI?s+=Ln:s>Math.PI&&(s-=Ln),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{const o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(tn.setFromSpherical(this._spherical),tn.applyQuaternion(this._quatInverse),e.copy(this.target).add(tn),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){const a=tn.length();o=this._clampDistance(a*this._scale);const l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){const a=new F(this._mouse.x,this._mouse.y,0);a.unproject(this.object);const l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;const c=new F(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=tn.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(Ea.origin.copy(this.object.position),Ea.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Ea.direction))<QS?this.object.lookAt(this.target):(Zd.setFromNormalAndCoplanarPoint(this.object.up,this.target),Ea.intersectPlane(Zd,this.target))))}else if(this.object.isOrthographicCamera){const o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>ih||8*(1-this._lastQuaternion.dot(this.object.quaternion))>ih||this._lastTargetPosition.distanceToSquared(this.target)>ih?(this.dispatchEvent(jd),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?Ln/60*this.autoRotateSpeed*t:Ln/60/60*this.autoRotateSpeed}_getZoomScale(t){const e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){tn.setFromMatrixColumn(e,0),tn.multiplyScalar(-t),this._panOffset.add(tn)}_panUp(t,e){this.screenSpacePanning===!0?tn.setFromMatrixColumn(e,1):(tn.setFromMatrixColumn(e,0),tn.crossVectors(this.object.up,tn)),tn.multiplyScalar(t),this._panOffset.add(tn)}_pan(t,e){const n=this.domElement;if(this.object.isPerspectiveCamera){const s=this.object.position;tn.copy(s).sub(this.target);let r=tn.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;const n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientX),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);const e=this.domElement;this._rotateLeft(Ln*this._rotateDelta.x/e.clientHeight),this._rotateUp(Ln*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(Ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-Ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(Ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-Ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{const e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{const e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){const e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{const n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);const e=this.domElement;this._rotateLeft(Ln*this._rotateDelta.x/e.clientHeight),this._rotateUp(Ln*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{const e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){const e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);const o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new ee,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){const e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){const e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}}function ey(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.addEventListener("pointermove",this._onPointerMove),this.domElement.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i)))}function ny(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function iy(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(Kd),this.state=Te.NONE;break;case 1:const t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function sy(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case zs.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Te.DOLLY;break;case zs.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Te.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Te.ROTATE}break;case zs.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Te.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Te.PAN}break;default:this.state=Te.NONE}this.state!==Te.NONE&&this.dispatchEvent(nh)}function ry(i){switch(this.state){case Te.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Te.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Te.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function oy(i){this.enabled===!1||this.enableZoom===!1||this.state!==Te.NONE||(i.preventDefault(),this.dispatchEvent(nh),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(Kd))}function ay(i){this.enabled!==!1&&this._handleKeyDown(i)}function ly(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case ks.ROTATE:if(this.enableRotate===!1)return;this._handleTouchStartRotate(i),this.state=Te.TOUCH_ROTATE;break;case ks.PAN:if(this.enablePan===!1)return;this._handleTouchStartPan(i),this.state=Te.TOUCH_PAN;break;default:this.state=Te.NONE}break;case 2:switch(this.touches.TWO){case ks.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Te.TOUCH_DOLLY_PAN;break;case ks.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Te.TOUCH_DOLLY_ROTATE;break;default:this.state=Te.NONE}break;default:this.state=Te.NONE}this.state!==Te.NONE&&this.dispatchEvent(nh)}function cy(i){switch(this._trackPointer(i),this.state){case Te.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Te.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Te.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Te.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Te.NONE}}function hy(i){this.enabled!==!1&&i.preventDefault()}function uy(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.getRootNode().addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function fy(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.getRootNode().removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function dy(i,t,e){let n={columns:1,shape:-1/0};for(let a=1;a<=i;a++){const l=Math.ceil(i/a),c=t/a/(e/l),u=-Math.abs(Math.log(c/1.25))-.15*(a*l-i);u>n.shape&&(n={columns:a,shape:u})}const s=Math.ceil(i/n.columns),[r,o]=[t/n.columns,e/s];return Array.from({length:i},(a,l)=>({x:l%n.columns*r,y:Math.floor(l/n.columns)*o,width:r,height:o}))}const py=200;function my(){const i=document.createElement("canvas").getContext("webgl2"),t=i?.getExtension("WEBGL_debug_renderer_info"),e=t?String(i.getParameter(t.UNMASKED_RENDERER_WEBGL)):"";return i?.getExtension("WEBGL_lose_context")?.loseContext(),/swiftshader|llvmpipe|software|basic render/i.test(e)}class gy{constructor(t,e){this.canvas=t,this.views=e,this.camera=new jn(32,1,.01,100),this.follow=null,this.moved=!1,this.framesPerSecond=0,this.onCamera=()=>{},this.followed=new F,this.layout=[],this.finest=Math.min(window.devicePixelRatio||1,2),this.size={width:1,height:1},this.drawn=[],this.background=new Kt("#ffffff");const n=e.reduce((s,r)=>s+r.motion.scene.bodies.length,0)>py;this.renderer=new Tx({canvas:t,antialias:!(n&&my())}),this.ratio=this.finest,this.renderer.setPixelRatio(this.ratio),this.renderer.setScissorTest(!0),this.centre=e.reduce((s,r)=>s.add(r.centre),new F).divideScalar(e.length),this.radius=Math.max(...e.map(s=>s.radius+s.centre.distanceTo(this.centre))),this.camera.up.set(...e[0].motion.scene.up),this.controls=new ty(this.camera,t),this.controls.enableDamping=!1,this.controls.addEventListener("change",()=>this.onCamera()),this.controls.addEventListener("start",()=>this.moved=!0),this.fit()}fit(t=new F(...this.views[0].motion.scene.view)){const e=this.layout.length>0?this.layout[0].width/this.layout[0].height:1.3;this.lookAt(this.centre,this.extent(t,e),t),this.followed.copy(this.centre),this.moved=!1,this.follow!==null&&this.track()}extent(t,e){const n=t.clone().normalize(),s=new F().crossVectors(this.camera.up,n).normalize(),r=new F().crossVectors(n,s),o=Math.tan(this.camera.fov*Math.PI/360)*.88;let a=0;for(const l of this.views){const[c,u]=l.motion.scene.bounds;for(let h=0;h<8;h++){const f=new F(h&1?u[0]:c[0],h&2?u[1]:c[1],h&4?u[2]:c[2]).sub(this.centre),p=Math.max(Math.abs(f.dot(r)),Math.abs(f.dot(s))/e);a=Math.max(a,p/o+f.dot(n))}}return Math.max(a,1e-6)}look(t,e){this.lookAt(e,t.distanceTo(e),t.clone().sub(e)),this.moved=!0}lookAt(t,e,n){this.camera.position.copy(t).addScaledVector(n.clone().normalize(),e),this.controls.target.copy(t);const s=Math.max(e,this.radius);this.camera.near=s/500,this.camera.far=s*30,this.controls.update(),this.onCamera()}orbit(t,e,n=1){const s=new F().subVectors(this.camera.position,this.controls.target);s.applyAxisAngle(this.camera.up,t);const r=new F().crossVectors(this.camera.up,s).normalize(),o=s.clone().applyAxisAngle(r,-e);o.angleTo(this.camera.up)>.02&&o.angleTo(this.camera.up)<Math.PI-.02&&s.copy(o),this.moved=!0,this.camera.position.copy(this.controls.target).addScaledVector(s,n),this.controls.update(),this.onCamera()}setFollow(t){this.follow=t,t!==null&&(this.followed.copy(this.controls.target),this.track())}track(){const t=this.follow===null?void 0:this.views[0].bodies.positions[this.follow];if(!t)return;const e=new F().subVectors(t,this.followed);this.camera.position.add(e),this.controls.target.add(e),this.followed.copy(t),this.controls.update()}setBackground(t){this.background=new Kt(t)}resize(t,e){this.size={width:t,height:e},this.renderer.setSize(t,e,!1),this.layout=dy(this.views.length,t,e)}get tiles(){return this.layout}draw(t,e){t||this.sharpen(),this.follow!==null&&this.track();for(const[n,s]of this.views.entries()){const r=this.layout[n],o=this.size.height-r.y-r.height;this.camera.aspect=r.width/r.height,this.camera.updateProjectionMatrix(),this.renderer.setViewport(r.x,o,r.width,r.height),this.renderer.setScissor(r.x,o,r.width,r.height),this.renderer.setClearColor(this.background);const a=new F().crossVectors(this.camera.up,this.camera.position.clone().sub(this.controls.target)).multiplyScalar(.5);s.light.position.copy(this.camera.position).add(a).addScaledVector(this.camera.up,.6*this.camera.position.distanceTo(this.controls.target)),s.light.target.position.copy(this.controls.target),s.walls.face(this.camera.position),this.renderer.render(s.space,this.camera)}this.measure(t,e)}sharpen(){this.ratio!==this.finest&&this.coarsen(this.finest)}coarsen(t){this.ratio=t,this.renderer.setPixelRatio(t),this.renderer.setSize(this.size.width,this.size.height,!1)}measure(t,e){if(!t){this.drawn=[];return}for(this.drawn.push(e);this.drawn.length>2&&e-this.drawn[0]>1e3;)this.drawn.shift();const n=e-this.drawn[0];n>300&&(this.framesPerSecond=(this.drawn.length-1)*1e3/n),n>800&&this.framesPerSecond<25&&this.ratio>.5&&(this.coarsen(Math.max(.5,this.ratio*(this.framesPerSecond<14?.5:.75))),this.drawn=[])}get pixelsPerMetre(){const t=this.camera.position.distanceTo(this.controls.target);return(this.layout[0]?.height??1)/(2*t*Math.tan(this.camera.fov*Math.PI/360))}pick(t,e){const n=this.layout.findIndex(c=>t>=c.x&&t<c.x+c.width&&e>=c.y&&e<c.y+c.height);if(n<0)return null;const s=this.layout[n];this.camera.aspect=s.width/s.height,this.camera.updateProjectionMatrix();const r=new ee((t-s.x)/s.width*2-1,1-(e-s.y)/s.height*2),o=new Sg;o.setFromCamera(r,this.camera);for(const{mark:c,at:u}of this.views[n].contacts.group.visible?this.views[n].contacts.shown:[]){const h=this.project(u,n);if(h&&Math.hypot(h.x-t,h.y-e)<9)return{view:n,contact:c}}let a=null;for(const{mesh:c,bodies:u}of this.views[n].bodies.pickable){const h=o.intersectObject(c)[0];h?.instanceId!==void 0&&(a===null||h.distance<a.distance)&&(a={distance:h.distance,body:u[h.instanceId]})}const l=this.views[n].surfaces.pick(o,this.views[n].value);return l&&(a===null||l.distance<a.distance)?{view:n,surface:l}:a&&{view:n,body:a.body}}project(t,e){const n=this.layout[e];this.camera.aspect=n.width/n.height,this.camera.updateProjectionMatrix(),this.camera.updateMatrixWorld();const s=t.clone().project(this.camera);return s.z>1||Math.abs(s.x)>1||Math.abs(s.y)>1?null:{x:n.x+(s.x+1)/2*n.width,y:n.y+(1-s.y)/2*n.height}}}const _y=.3,Jd=32,Qd=.6,ba=(i,t)=>new F(i.vertices[3*t],i.vertices[3*t+1],i.vertices[3*t+2]);function tp(i,t){const e=new F;for(let n=0;n<t.length;n++){const s=ba(i,t[n]),r=ba(i,t[(n+1)%t.length]);e.x+=(s.y-r.y)*(s.z+r.z),e.y+=(s.z-r.z)*(s.x+r.x),e.z+=(s.x-r.x)*(s.y+r.y)}return e.normalize()}function ep(i){const t=i.parts.flatMap(e=>Array(e).fill(e>Jd));return i.faces.map((e,n)=>t[n]??i.faces.length>Jd)}function vy(i){const t=i.faces.map(s=>s.length>2?tp(i,s):new F),e=ep(i);if(!e.includes(!0))return i.faces.map((s,r)=>s.map(()=>t[r]));const n=new Map;return i.faces.forEach((s,r)=>{for(const o of s)n.set(o,[...n.get(o)??[],r])}),i.faces.map((s,r)=>s.map(o=>{if(!e[r])return t[r];const a=new F;for(const l of n.get(o))t[l].angleTo(t[r])<Qd&&a.add(t[l]);return a.lengthSq()>0?a.normalize():t[r]}))}function xy(i){const t=[],e=[],n=[],s=[];let r=0,o=i.parts[0]??0;const a=vy(i);for(const[c,u]of i.faces.entries()){for(;o===0&&r+1<i.parts.length;)o=i.parts[++r];if(o--,u.length<3)continue;const h=new Kt(Th[r%Th.length]),f=t.length/3;for(const[p,_]of u.entries()){const x=ba(i,_),m=a[c][p];t.push(x.x,x.y,x.z),e.push(m.x,m.y,m.z),n.push(h.r,h.g,h.b)}for(let p=2;p<u.length;p++)s.push(f,f+p-1,f+p)}const l=new Ye;return l.setAttribute("position",new He(t,3)),l.setAttribute("normal",new He(e,3)),l.setAttribute("color",new He(n,3)),l.setIndex(s),l}function My(i){const t=ep(i),e=new Map,n=new Map,s=new Map;for(const[a,l]of i.faces.entries()){if(l.length<2)continue;const c=l.length>2?tp(i,l):new F;for(let u=0;u<l.length;u++){const[h,f]=[l[u],l[(u+1)%l.length]],p=h<f?`${h},${f}`:`${f},${h}`;s.set(p,[h,f]),e.set(p,t[a]?Qd:_y),n.set(p,[...n.get(p)??[],c])}}const r=[];for(const[a,l]of n)if(!(l.length===2&&l[0].angleTo(l[1])<e.get(a)&&l[0].lengthSq()>0))for(const u of s.get(a)){const h=ba(i,u);r.push(h.x,h.y,h.z)}const o=new Ye;return o.setAttribute("position",new He(r,3)),o}function Sy(i){let t=0;for(let e=0;e+2<i.vertices.length;e+=3)t=Math.max(t,Math.hypot(i.vertices[e],i.vertices[e+1],i.vertices[e+2]));return t}const yy=new F(0,1,0),np=new Se,Ta=new qn,ip=new F,sh=new F,sp=new F;function Si(i,t,e){const n=new hg(i,t,Math.max(e,1));return n.count=e,n.instanceMatrix.setUsage(Lm),n.frustumCulled=!1,n}function Ey(i,t,e){const n=new no(i,t);return Object.assign(n,{isInstancedMesh:!0,instanceMatrix:e.instanceMatrix,instanceColor:null,morphTexture:null,count:e.count}),n.frustumCulled=!1,n}function wr(i,t){const e=new Kt;t.forEach((n,s)=>i.setColorAt(s,e.set(n))),i.instanceColor&&(i.instanceColor.needsUpdate=!0)}function wa(i,t,e,n,s){sh.subVectors(n,e);const r=sh.length();r>0?Ta.setFromUnitVectors(yy,sh.divideScalar(r)):Ta.identity(),ip.addVectors(e,n).multiplyScalar(.5),i.setMatrixAt(t,np.compose(ip,Ta,sp.set(s,r,s)))}function rh(i,t,e,n){i.setMatrixAt(t,np.compose(e,Ta.identity(),sp.set(n,n,n)))}const rp=new Se,op=new F,ap=new qn,lp=new F;class by{constructor(t,e,n){this.motion=t,this.group=new Kn,this.batches=[],this.edgeMaterial=new xs({color:"#000000",transparent:!0,opacity:.5}),this.ghosts=[],this.parts=!1;const s=.02*e,{bodies:r,shapes:o}=t.scene;this.visible=r.map(()=>!0),this.colours=r.map(c=>n.body(c.name)),this.reach=r.map(c=>c.shape===null?c.radius||s:Sy(o[c.shape])),this.positions=r.map(c=>c.pose?new F(...c.pose.slice(0,3)):new F),this.rotations=r.map(c=>c.pose?new qn(...c.pose.slice(3,7)):new qn);const a=this.reach.filter((c,u)=>r[u].shape!==null).sort((c,u)=>c-u);this.edgeMaterial.opacity=Math.min(.6,Math.max(.08,6*(a[a.length>>1]??e)/e));const l=new Map;r.forEach((c,u)=>l.set(c.shape,[...l.get(c.shape)??[],u]));for(const[c,u]of l){const h=c===null?null:o[c],f=h!==null&&h.faces.length<=h.parts.length,p=new fr({side:f?Nn:di,polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1}),_=u.length<200,x=h===null?new ur(1,_?24:12,_?16:8):xy(h),m=Si(x,p,u.length);wr(m,u.map(w=>this.colours[w]));const d=h===null?null:Ey(My(h),this.edgeMaterial,m);this.group.add(m),d&&this.group.add(d);const T=u.map(w=>c===null?this.reach[w]:1);this.batches.push({bodies:u,mesh:m,edges:d,material:p,scales:T,hasParts:(h?.parts.length??0)>1})}}get hasParts(){return this.batches.some(t=>t.hasParts)}place(t){this.motion.scene.bodies.forEach((e,n)=>{if(e.slot===null)return;const s=7*e.slot;this.positions[n].fromArray(t,s),this.rotations[n].fromArray(t,s+3)});for(const{bodies:e,mesh:n,scales:s}of this.batches)e.forEach((r,o)=>{const a=this.visible[r]?s[o]:0;n.setMatrixAt(o,rp.compose(this.positions[r],this.rotations[r],lp.set(a,a,a)))}),n.instanceMatrix.needsUpdate=!0,n.boundingSphere=null}showParts(t){if(t!==this.parts){this.parts=t;for(const{material:e,mesh:n,bodies:s,hasParts:r}of this.batches)r&&(e.vertexColors=t,e.needsUpdate=!0,wr(n,s.map(o=>t?"#ffffff":this.colours[o])))}}showBodies(t){for(const{mesh:e}of this.batches)e.visible=t}showEdges(t){for(const{edges:e}of this.batches)e&&(e.visible=t)}setEdgeColour(t){this.edgeMaterial.color=new Kt(t)}showGhosts(t){for(const e of this.ghosts)this.group.remove(e),e.material.dispose(),e.dispose();if(this.ghosts=[],t.length!==0)for(const e of this.batches){const n=e.bodies.filter(l=>this.motion.scene.bodies[l].slot!==null&&this.visible[l]),s=new fr({transparent:!0,opacity:.22,depthWrite:!1,side:e.material.side}),r=Si(e.mesh.geometry,s,n.length*t.length),o=[];let a=0;for(const l of t)for(const c of n){const u=7*this.motion.scene.bodies[c].slot,h=e.scales[e.bodies.indexOf(c)];op.fromArray(l,u),ap.fromArray(l,u+3),r.setMatrixAt(a++,rp.compose(op,ap,lp.set(h,h,h))),o.push(this.colours[c])}wr(r,o),r.renderOrder=1,this.ghosts.push(r),this.group.add(r)}}get pickable(){return this.batches}}const fo=64,Ty=new F(0,1,0);class wy{constructor(t,e,n){this.motion=t,this.radius=e,this.limit=n,this.group=new Kn,this.scale={impulse:0,force:0},this.arrows=!0,this.shown=[];const s=()=>new rr({depthTest:!1,transparent:!0,opacity:.85});this.balls=Si(new ur(1,12,8),s(),fo),this.shafts=Si(new Ms(1,1,1,8),s(),2*fo),this.heads=Si(new hc(1,1,12),s(),2*fo);for(const r of[this.shafts,this.heads,this.balls])r.renderOrder=4,this.group.add(r)}place({event:t,recorded:e}){const{words:n,a:s,b:r,point:o}=e?this.motion.forces:this.motion.contacts;return this.limit(`${n[s[t]]} ${n[r[t]]}`)??new F().fromArray(o,3*t)}show(t,e){const{motion:n,radius:s,scale:r}=this,{contacts:o,forces:a}=n,l=new F,c=new Se,u=new qn,h=new Kt;let f=0;const p=jS(o,t,e,fo).filter(_=>!_.isForce||a.count===0);this.shown=[...p,...KS(n,e,fo-p.length)].map(_=>({mark:_,at:this.place(_)})),this.shown.forEach(({mark:_,at:x},m)=>{const{words:d,kind:T}=_.recorded?a:o;h.set(wh[d[T[_.event]]]??"#e0245e"),rh(this.balls,m,x,.016*s),this.balls.setColorAt(m,h);const w=new F(..._.vector),S=Math.min(w.length()*(_.isForce?r.force:r.impulse),.8*s);if(!(!this.arrows||S<.02*s))for(const D of[1,-1]){const A=w.clone().normalize().multiplyScalar(D);l.copy(x).addScaledVector(A,S),wa(this.shafts,f,x,l,.005*s),u.setFromUnitVectors(Ty,A);const U=.045*s;this.heads.setMatrixAt(f,c.compose(l,u,new F(.4*U,U,.4*U))),this.shafts.setColorAt(f,h),this.heads.setColorAt(f++,h)}}),this.balls.count=this.shown.length,this.shafts.count=f,this.heads.count=f;for(const _ of[this.balls,this.shafts,this.heads])_.instanceMatrix.needsUpdate=!0,_.instanceColor&&(_.instanceColor.needsUpdate=!0)}}const Ay=.75;function Ry(i,t,e){const n=Math.max(2,Math.ceil(Math.abs(e)/.1)),s=[],r=a=>i.clone().applyAxisAngle(t,e*a/n);for(let a=0;a<n;a++){const[l,c]=[r(a),r(a+1)];s.push(0,0,0,l.x,l.y,l.z,c.x,c.y,c.z)}const o=new Ye;return o.setAttribute("position",new He(s,3)),o}class Cy{constructor(t,e,n,s){this.size=e,this.point=n,this.turn=s,this.group=new Kn,this.fans=[],this.a=new F,this.b=new F,this.links=t.filter(o=>o.kind==="limit"),this.rods=Si(new Ms(1,1,1,8),new fr({color:Ah}),this.links.length),this.group.add(this.rods);const r=new rr({color:Ah,transparent:!0,opacity:.12,side:Nn,depthWrite:!1});for(const o of this.links){if(!o.axis||!o.sweep)continue;const a=new F(...o.b.local).sub(new F(...o.a.local)).multiplyScalar(Ay),l=new Dn(Ry(a,new F(...o.axis).normalize(),o.sweep),r);l.frustumCulled=!1,this.fans.push({link:o,mesh:l}),this.group.add(l)}}at(t){const e=this.links.find(n=>n.name===t);return e?this.point(e.a,new F).lerp(this.point(e.b,new F),.5):null}update(){this.links.forEach((t,e)=>wa(this.rods,e,this.point(t.a,this.a),this.point(t.b,this.b),.3*this.size)),this.rods.instanceMatrix.needsUpdate=!0;for(const{link:t,mesh:e}of this.fans)this.point(t.a,e.position),t.a.body===null?e.quaternion.identity():e.quaternion.copy(this.turn(t.a.body))}}const Py=["rod","arm","rail","slide","prismatic","cylindrical"],Dy={rail:.35,slide:.35},Aa=12,cp=3,oh={revolute:"#b5651d",spherical:"#6a4fb0",prismatic:"#2f7f7f",cylindrical:"#2f7f7f",fixed:"#555555",planar:"#7f7f2f"};class Ly{constructor(t,e,n){this.scene=t,this.bodies=e,this.size=n,this.group=new Kn,this.a=new F,this.b=new F,this.c=new F;const s=()=>new fr;this.rodLinks=t.links.filter(a=>Py.includes(a.kind)),this.rods=Si(new Ms(1,1,1,12),new fr({color:"#8a8f98"}),this.rodLinks.length);const r=a=>(a.kind==="prismatic"||a.kind==="cylindrical")&&a.a.body===null;this.jointLinks=t.links.filter(a=>a.kind in oh&&!r(a)),this.joints=Si(new ur(1,16,12),s(),this.jointLinks.length),wr(this.joints,this.jointLinks.map(a=>oh[a.kind])),this.pinLinks=this.jointLinks.filter(a=>a.axis!==null),this.pins=Si(new Ms(1,1,1,12),s(),this.pinLinks.length),wr(this.pins,this.pinLinks.map(a=>oh[a.kind])),this.limits=new Cy(t.links,n,(a,l)=>this.point(a,l),a=>e.rotations[a]),this.springLinks=t.links.filter(a=>a.kind==="spring"||a.kind==="damper");const o=new Ye;o.setAttribute("position",new nn(new Float32Array(this.springLinks.length*Aa*6),3)),this.springs=new no(o,new xs({color:"#3aa687"})),this.springs.frustumCulled=!1,this.charges=Si(new ur(1,10,8),s(),t.charges.length),wr(this.charges,t.charges.map(a=>a.amount>=0?"#d93a3a":"#2f5fd0")),this.group.add(this.rods,this.joints,this.pins,this.springs,this.charges,this.limits.group)}get any(){return this.scene.links.length>0||this.scene.charges.length>0}point(t,e){return e.fromArray(t.local),t.body===null?e:e.applyQuaternion(this.bodies.rotations[t.body]).add(this.bodies.positions[t.body])}update(){const{a:t,b:e,size:n}=this;this.rodLinks.forEach((s,r)=>{wa(this.rods,r,this.point(s.a,t),this.point(s.b,e),(Dy[s.kind]??.6)*n)}),this.jointLinks.forEach((s,r)=>rh(this.joints,r,this.point(s.b,t),1.1*n)),this.scene.charges.forEach((s,r)=>rh(this.charges,r,this.point(s.at,t),1.1*n)),this.pinLinks.forEach((s,r)=>{this.point(s.b,t),this.c.fromArray(s.axis).normalize(),s.a.body!==null&&this.c.applyQuaternion(this.bodies.rotations[s.a.body]),wa(this.pins,r,e.copy(t).addScaledVector(this.c,-cp*n),t.addScaledVector(this.c,cp*n),.55*n)});for(const s of[this.rods,this.joints,this.pins,this.charges])s.instanceMatrix.needsUpdate=!0;this.limits.update(),this.updateSprings()}updateSprings(){const{a:t,b:e,c:n}=this,s=this.springs.geometry.getAttribute("position");let r=0;for(const o of this.springLinks){this.point(o.a,t),this.point(o.b,e);const a=new F().subVectors(e,t).cross(new F(.31,.53,.79)).setLength(o.kind==="spring"?1.6*this.size:0),l=t.clone();for(let c=1;c<=Aa;c++){const u=c===Aa?0:c%2===0?1:-1;n.lerpVectors(t,e,c/Aa).addScaledVector(a,u),s.setXYZ(r++,l.x,l.y,l.z),s.setXYZ(r++,n.x,n.y,n.z),l.copy(n)}}s.needsUpdate=!0}setLineColour(t){this.springs.material.color=new Kt(t)}}const Uy=60,Iy=24e4;class Ny{constructor(t,e){this.motion=t,this.bodies=e,this.group=new Kn,this.lines=[];const n=t.scene.bodies.flatMap((o,a)=>o.slot===null?[]:[{body:a,slot:o.slot}]),s=n.filter((o,a)=>a%Math.ceil(n.length/Uy)===0),r=t.time.length;this.every=Math.max(1,Math.ceil(r*s.length/Iy));for(const{body:o,slot:a}of s){const l=[];for(let h=0;h<r;h+=this.every){const f=3*(h*t.slots+a);l.push(t.position[f],t.position[f+1],t.position[f+2])}const c=new Ye;c.setAttribute("position",new He(l,3));const u=new Eu(c,new xs({color:e.colours[o]}));u.frustumCulled=!1,this.lines.push({body:o,line:u}),this.group.add(u)}}update(t){const e=Math.floor(zr(this.motion.time,t)/this.every)+1;for(const{body:n,line:s}of this.lines)s.geometry.setDrawRange(0,e),s.visible=this.bodies.visible[n]}}class Fy{constructor(t,e){this.bodies=e,this.rigid=t.scene.bodies.flatMap((o,a)=>o.kind==="rigid"?[a]:[]);const n=new Ye,s=6*this.rigid.length;n.setAttribute("position",new nn(new Float32Array(3*s),3));const r=new Float32Array(3*s);for(let o=0;o<s;o++)new Kt(Fa[(o>>1)%3]).toArray(r,3*o);n.setAttribute("color",new nn(r,3)),this.group=new no(n,new xs({vertexColors:!0,depthTest:!1})),this.group.frustumCulled=!1,this.group.renderOrder=3}update(){const t=this.group.geometry.getAttribute("position"),e=new F;let n=0;for(const s of this.rigid){const r=this.bodies.positions[s],o=this.bodies.visible[s]?1.25*this.bodies.reach[s]:0;for(let a=0;a<3;a++)e.set(0,0,0).setComponent(a,o).applyQuaternion(this.bodies.rotations[s]).add(r),t.setXYZ(n++,r.x,r.y,r.z),t.setXYZ(n++,e.x,e.y,e.z)}t.needsUpdate=!0}}const Oy={bodies:!0,edges:!0,directors:!1,parts:!1,contacts:!0,impulses:!0,traces:!1,ghosts:!1,joints:!0,walls:!0,labels:!1},By=9;class zy{constructor(t,e){this.motion=t,this.space=new ag,this.light=new vg("#ffffff",2.2),this.traces=null,this.value="",this.ghosts=!1,this.hidden="";const[n,s]=t.scene.bounds,r=new Wi(new F(...n),new F(...s));this.centre=r.getCenter(new F),this.radius=Math.max(r.getSize(new F).length()/2,1e-6),this.poses=new bh(t),this.bodies=new by(t,this.radius,e),this.surfaces=new wx(t,e),this.links=new Ly(t.scene,this.bodies,this.smallest()),this.walls=new Dx(t.scene,this.centre,this.radius),this.contacts=new wy(t,this.radius,o=>this.links.limits.at(o)),this.directors=new Fy(t,this.bodies),this.space.add(new xg("#ffffff",1.3),this.light,this.light.target),this.space.add(this.bodies.group,this.surfaces.group,this.links.group,this.walls.group,this.walls.grid,this.contacts.group,this.directors.group)}smallest(){const t=this.bodies.reach.filter((n,s)=>this.motion.scene.bodies[s].shape!==null).sort((n,s)=>n-s),e=t.length>0?.12*t[t.length>>1]:1/0;return Math.min(.012*this.radius,e)}update(t,e,n){this.bodies.place(this.poses.at(t)),this.surfaces.place(t,this.value),this.surfaces.show(n.bodies,n.edges),this.bodies.showBodies(n.bodies),this.bodies.showEdges(n.edges),this.bodies.showParts(n.parts),this.links.group.visible=n.joints,n.joints&&this.links.update(),this.walls.group.visible=n.walls,this.walls.grid.visible=n.walls,this.directors.group.visible=n.directors,n.directors&&this.directors.update(),this.contacts.group.visible=n.contacts,this.contacts.arrows=n.impulses,n.contacts&&this.contacts.show(t-e,t),n.traces&&this.traces===null&&(this.traces=new Ny(this.motion,this.bodies),this.space.add(this.traces.group)),this.traces&&(this.traces.group.visible=n.traces,n.traces&&this.traces.update(t));const s=this.bodies.visible.join();(n.ghosts!==this.ghosts||n.ghosts&&s!==this.hidden)&&(this.bodies.showGhosts(n.ghosts?this.ghostImages():[]),this.ghosts=n.ghosts,this.hidden=s)}ghostImages(){const{time:t,slots:e}=this.motion;if(t.length===0)return[];const n=e>200?3:By,[s,r]=[t[0],t[t.length-1]],o=new bh(this.motion);return Array.from({length:n},(a,l)=>o.at(s+(r-s)*l/(n-1)).slice())}setColours(t,e){this.bodies.setEdgeColour(t),this.links.setLineColour(t),this.walls.setColour(e)}}function ky(i){const t=(new URLSearchParams(i.slice(1)).get("view")??"").split(",").map(Number);return t.length===6&&t.every(Number.isFinite)?t:null}function Hy(i,t){const e=s=>String(Number(s.toPrecision(5))),n=t?.moved?[...t.camera.position.toArray(),...t.controls.target.toArray()].map(e).join(","):"";return`#t=${Number(i.toPrecision(9))}${n?`&view=${n}`:""}`}function Vy(i,t){const e=ky(i);t&&e&&t.look(new F(...e.slice(0,3)),new F(...e.slice(3)))}function Gy(i,t){const e=Y("p",{class:"said",role:"status"}),n=Y("details",{class:"share"},Y("summary",{"aria-label":"Share",title:"Save a picture, copy a link"},"Share"),Y("div",{class:"share-list"},vn("Save picture (PNG)","Save this picture as PNG",()=>{i(),n.open=!1}),vn("Copy link to this moment","Copy a link to this moment",()=>{t().then(s=>{e.textContent=s?"Copied.":"The link is in the address bar."})}),e));return document.addEventListener("pointerdown",s=>{n.contains(s.target)||(n.open=!1)}),n.addEventListener("keydown",s=>{s.key==="Escape"&&(n.open=!1,n.querySelector("summary").focus())}),n.addEventListener("toggle",()=>e.textContent=""),n}class Wy{constructor(){this.chosen=null,this.listeners=[],this.query=window.matchMedia("(prefers-color-scheme: dark)"),this.apply(),this.query.addEventListener("change",()=>this.changed())}get dark(){return this.chosen?this.chosen==="dark":this.query.matches}onChange(t){this.listeners.push(t)}toggle(){this.chosen=this.dark?"light":"dark",this.changed()}apply(){document.documentElement.dataset.theme=this.dark?"dark":"light"}changed(){this.apply();for(const t of this.listeners)t()}colour(t){return getComputedStyle(document.documentElement).getPropertyValue(t).trim()}}const ah=1e4;class Xy{constructor(t,e,n,s){this.clock=t,this.frames=e,this.contacts=n,this.theme=s,this.ticks=Y("canvas",{class:"ticks","aria-hidden":"true"});const{values:r,usual:o}=kp(t.duration);t.speed=o,this.playButton=vn("▶","Play",()=>t.play(!t.playing),"space"),this.playButton.className="play",this.scrub=Y("input",{type:"range",min:0,max:ah,step:1,value:0,"aria-label":"Time"}),this.scrub.addEventListener("input",()=>{const f=Number(this.scrub.value)/ah;t.play(!1),t.seek(t.start+t.duration*f)}),this.readout=Y("output",{class:"time","aria-live":"off"});const a=Y("select",{"aria-label":"Speed",title:"Speed",change:()=>t.speed=Number(a.value)});for(const f of r){const p=Y("option",{value:f},`${f}×`);p.selected=f===o,a.append(p)}const l=n.length===0,c=vn("⇤","Contact before",()=>this.toContact(-1),"["),u=vn("⇥","Next contact",()=>this.toContact(1),"]");c.disabled=u.disabled=l,c.dataset.role="contact-before",u.dataset.role="contact-next";const h=Ba("loop",t.loop,f=>t.loop=f,"Begin again at the end");this.root=Y("div",{class:"transport",role:"group","aria-label":"Playback"},Y("div",{class:"scrub"},this.ticks,this.scrub),Y("div",{class:"buttons"},this.playButton,vn("◂","Frame before",()=>this.step(-1),"←"),vn("▸","Next frame",()=>this.step(1),"→"),c,u,a,h,this.readout)),t.onChange(()=>this.update()),s.onChange(()=>this.drawTicks()),new ResizeObserver(()=>this.drawTicks()).observe(this.ticks),this.update()}step(t){const{clock:e,frames:n}=this;if(n.length===0)return;e.play(!1);let s=zr(n,e.time+1e-12*e.duration);t<0&&e.time>n[s]+1e-9*e.duration&&s++,e.seek(n[Math.min(Math.max(s+t,0),n.length-1)])}toContact(t){const{clock:e,contacts:n}=this;if(n.length===0)return;e.play(!1);const s=1e-9*Math.max(e.duration,1e-9),r=t>0?ls(n,e.time+s):ls(n,e.time-s)-1;r>=0&&r<n.length&&e.seek(n[r])}update(){const{clock:t}=this,e=t.duration>0?(t.time-t.start)/t.duration:0;this.scrub.value=String(Math.round(e*ah));const n=`${Mo(t.time,t.duration)} s of ${Mo(t.end,t.duration)} s`;this.readout.textContent=n,this.scrub.setAttribute("aria-valuetext",n),this.playButton.textContent=t.playing?"❚❚":"▶",this.playButton.setAttribute("aria-label",t.playing?"Pause":"Play")}drawTicks(){const{ticks:t,clock:e}=this,n=window.devicePixelRatio||1;t.width=Math.max(1,Math.round(t.clientWidth*n)),t.height=Math.max(1,Math.round(t.clientHeight*n));const s=t.getContext("2d");if(!s||e.duration<=0)return;s.fillStyle=this.theme.colour("--contact");const r=8*n;for(const o of this.contacts){const a=r+(o-e.start)/e.duration*(t.width-2*r);s.fillRect(Math.round(a),0,Math.max(1,n),t.height)}}}const Yy=.25,qy=.01;function hp(i){if(i.length===1)return i[0];const t=i.flatMap(e=>Array.from(e)).sort((e,n)=>e-n);return Float64Array.from(t.filter((e,n)=>n===0||e!==t[n-1]))}function $y(i){const t=i.flatMap(e=>[e.time,...e.plots.filter(n=>n.axis==="").map(n=>n.time)]).filter(e=>e.length>0);return t.length===0?[0,0]:[Math.min(...t.map(e=>e[0])),Math.max(...t.map(e=>e[e.length-1]))]}class jy{constructor(t,e){this.theme=new Wy,this.show={...Oy},this.opened=0,this.options=null,this.overlay=null,this.help=Wp(),this.holder=Y("div",{class:"canvas-holder"}),this.stale=!0,this.before=0;const n=e.flatMap(h=>h.motions);this.clock=new Bp(...$y(n)),n.some(h=>h.scene.bodies.length>400)&&(this.show.edges=!1);const s=hp(n.map(h=>h.contacts.time));this.transport=new Xy(this.clock,hp(n.map(h=>h.time)),s,this.theme);const r=new Op(n);this.plots=new qS(n,this.clock,this.theme,r,s);const o=Y("canvas",{tabindex:0,role:"img","aria-label":"The motion in space; drag to turn"});this.holder.append(o);const a=Y("section",{class:"stage","aria-label":"Motion"},this.holder,this.transport.root);let l=null;try{l=new gy(o,n.map(h=>new zy(h,r)))}catch(h){this.holder.replaceChildren(Y("p",{class:"error"},`This browser cannot draw the motion: ${String(h)}`))}this.stage=l;for(const h of new Set(n.map(f=>f.note)))h&&a.append(Y("p",{class:"note-line"},h));if(l){const h=JS(n,l.radius);for(const f of l.views)f.contacts.scale=h;this.overlay=new Ux(l,this.theme,h),this.holder.append(this.overlay.root),l.onCamera=()=>this.touch(),this.options=new Rx(l,this.show,r,()=>this.touch()),a.append(this.options.root)}const c=Y("div",{class:"numbers"},Bx(e));for(const h of e)c.append(...zx(h,e.length>1));c.append(Y("section",{class:"panel","aria-label":"Curves"},Y("h2",{},"Curves"),this.plots.root)),n.forEach(h=>{if(h.contacts.count===0)return;const f=n.length>1?`Contacts: ${h.label}`:"Contacts";c.append(Y("section",{class:"panel","aria-label":f},Y("h2",{},f),new Vp(h,this.clock).root))});for(const h of e.filter(({scenario:f})=>f!==""))c.append(kx(h,e.length>1));t.append(this.header(e),Y("main",{},a,c),this.help),this.clock.onChange(()=>this.touch()),this.theme.onChange(()=>this.recolour()),document.addEventListener("keydown",h=>this.press(h)),new ResizeObserver(()=>this.resize()).observe(this.holder),this.recolour(),this.resize();const u=()=>{const h=zp(location.hash);h!==null&&(this.clock.play(!1),this.clock.seek(h),Vy(location.hash,this.stage))};window.addEventListener("hashchange",u),u(),requestAnimationFrame(h=>this.frame(h))}savePicture(){const{stage:t}=this;if(!t)return;t.draw(!1,performance.now());const[{width:e},n]=[t.canvas,t.canvas.width/Math.max(t.canvas.clientWidth,1)],r=Y("canvas",{width:e,height:t.canvas.height+30*n}),o=r.getContext("2d");if(!o)return;o.fillStyle=this.theme.colour("--page"),o.fillRect(0,0,r.width,r.height),o.drawImage(t.canvas,0,0),this.overlay?.paint(o,t.canvas.clientHeight,t.canvas.clientWidth,n),o.fillStyle=this.theme.colour("--text"),o.font=`${14*n}px system-ui, sans-serif`;const a=t.canvas.height+20*n,l=`t = ${Mo(this.clock.time,this.clock.duration)} s`;o.fillText(l,e-o.measureText(l).width-10*n,a),o.fillText(document.title,10*n,a,e-o.measureText(l).width-30*n),r.toBlob(c=>{if(!c)return;const u=Y("a",{href:URL.createObjectURL(c),download:`${document.title||"carom"} t=${this.clock.time.toPrecision(6)}.png`});u.click(),URL.revokeObjectURL(u.href)},"image/png")}copyLink(){history.replaceState(null,"",Hy(this.clock.time,this.stage));const t=navigator.clipboard?.writeText(location.href);return t?t.then(()=>!0).catch(()=>!1):Promise.resolve(!1)}header(t){const e=t.length>1,n=e?t.map(a=>a.name).join(" | "):t[0].title,s=e?"Runs side by side":[t[0].name,t[0].source].filter(a=>a!=="").join(" · "),r=Y("div",{class:"titles"},Y("h1",{},n),Y("p",{class:"source"},s)),o=Y("header",{},r);return e||o.append(gf(t[0].verdict)),o.append(Y("div",{class:"tools"},Gy(()=>this.savePicture(),()=>this.copyLink()),vn("◐","Light or dark",()=>this.theme.toggle()),vn("?","Keys",()=>this.help.showModal(),"?"))),o}touch(){this.stale=!0}recolour(){if(this.stage){this.stage.setBackground(this.theme.colour("--stage"));for(const t of this.stage.views)t.setColours(this.theme.colour("--edge"),this.theme.colour("--wall"));this.touch()}}resize(){const{clientWidth:t,clientHeight:e}=this.holder;if(!this.stage||t===0||e===0)return;const n=this.stage.tiles.length===0;this.stage.resize(t,e),n&&this.stage.fit(),this.touch()}frame(t){requestAnimationFrame(r=>this.frame(r));const e=Math.min((t-this.before)/1e3,.25);if(this.before=t,this.clock.advance(e),!this.stale||!this.stage||this.stage.tiles.length===0)return;this.stale=!1;const{clock:n}=this,s=Math.max((n.playing?Yy:qy)*n.speed,1e-9*n.duration);for(const r of this.stage.views)r.update(n.time,s,this.show);this.stage.draw(n.playing,t),this.overlay?.update(this.show.labels,n.playing,this.show.contacts&&this.show.impulses),this.opened===0&&(this.opened=performance.now())}press(t){const e=t.target,n=e.matches("input:not([type=checkbox]):not([type=range]), select, textarea");t.ctrlKey||t.metaKey||t.altKey||n||this.help.open||this.act(t.key,t.shiftKey,e)&&t.preventDefault()}act(t,e,n){const{clock:s,transport:r,stage:o,options:a}=this;switch(t){case" ":return n.matches("button, summary, input")?!1:(s.play(!s.playing),!0);case"ArrowLeft":case"ArrowRight":return r.step((t==="ArrowLeft"?-1:1)*(e?10:1)),!0;case"[":case"]":return r.toContact(t==="["?-1:1),!0;case"Home":case"End":return s.seek(t==="Home"?s.start:s.end),!0;case"?":return this.help.showModal(),!0}if(!o||!a)return!1;switch(t){case"f":return a.followNext(),!0;case"r":return o.fit(),!0;case"v":return a.nextSide(),!0;case",":case".":return o.orbit(t===","?-.15:.15,0),!0;case"u":case"m":return o.orbit(0,t==="u"?.12:-.12),!0;case"+":case"=":case"-":return o.orbit(0,0,t==="-"?1.15:1/1.15),!0}return a.press(t)}}const up=1;function Ra(i){const t=atob(i),e=new Uint8Array(t.length);for(let n=0;n<t.length;n++)e[n]=t.charCodeAt(n);return e.buffer}const Ca=i=>new Float64Array(Ra(i)),es=i=>new Float32Array(Ra(i)),Ls=i=>new Uint32Array(Ra(i)),fp=i=>new Int16Array(Ra(i));function Ky(i){const t=[];for(let e=0;e<i.length;e+=1+i[e])t.push(Array.from(i.subarray(e+1,e+1+i[e])));return t}function dp(i){const t={total:i.total??0,step:i.step??0,count:0,words:i.words??[],time:Ca(i.time??""),kind:Ls(i.kind??""),a:Ls(i.a??""),b:Ls(i.b??""),feature_a:Ls(i.feature_a??""),feature_b:Ls(i.feature_b??""),point:es(i.point??""),normal:es(i.normal??""),impulse:es(i.impulse??""),strength:es(i.strength??""),energy:es(i.energy??"")};return t.count=t.time.length,t.strength.length<t.count&&(t.strength=Float32Array.from(t.time,(e,n)=>Math.hypot(...t.impulse.subarray(3*n,3*n+3)))),t}function Zy(i,t){const e={...i.scene,shapes:i.scene.shapes.map(n=>({vertices:es(n.vertices),faces:Ky(Ls(n.faces)),parts:n.parts})),surfaces:(i.scene.surfaces??[]).map(n=>({...n,triangles:Ls(n.triangles)}))};return{label:t,name:i.name,note:i.note,scene:e,recorded:i.recorded,slots:e.bodies.filter(n=>n.slot!==null).length,time:Ca(i.time),position:es(i.position),rotation:fp(i.rotation),surfacePosition:es(i.surface_position??""),surfaceValue:fp(i.surface_value??""),contacts:dp(i.contacts),forces:dp(i.forces??{}),phases:i.phases??[],plots:i.plots.map(n=>({...n,size:n.size??0,axis:n.axis??"",time:Ca(n.time),series:n.series.map(s=>({name:s.name,values:Ca(s.values),bounds:s.bounds??null}))}))}}function Jy(i){const t=JSON.parse(i),e=t.length>1;return t.map(n=>{if(n.format!==up)throw new Error(`this page reads format ${up}, the report has ${n.format}`);const s=n.motions.map(r=>{const o=[e||!r.name?n.name:"",r.name].filter(a=>a!=="");return Zy(r,o.join(" · "))});return{...n,motions:s,tables:n.tables??[]}})}const pp=document.getElementById("app");try{const i=document.getElementById("carom-reports"),t=Jy(i?.textContent??"[]");if(i&&(i.textContent=""),t.length===0)throw new Error("there is no report in this page");window.carom=new jy(pp,t)}catch(i){pp.append(Y("p",{class:"error"},`This report cannot be shown: ${i instanceof Error?i.message:String(i)}`))}})();
/**
 * @license
 * Copyright 2010-2025 Three.js Authors
 * SPDX-License-Identifier: MIT
 */
