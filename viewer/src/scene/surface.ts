// Surfaces of bodies: lit per pixel, or, where there are very many, once per corner.

import { Material, MeshBasicMaterial, MeshLambertMaterial, Side } from "three";

/** Brightness of ambient and of direct light, and where the latter comes from as the viewer sees it. */
export const AMBIENT = 1.3;
export const DIRECT = 2.2;

const LIT = `
#include <color_vertex>
vec3 litNormal = normalMatrix * mat3( instanceMatrix ) * normal;
float lit = max( dot( normalize( litNormal ), normalize( vec3( 0.5, 0.6, 1.0 ) ) ), 0.0 );
vColor.xyz *= ( ${AMBIENT.toFixed(2)} + ${DIRECT.toFixed(2)} * lit ) / PI;
`;

/** The material of bodies; its colour comes from instances and, if asked for, from vertices. */
export function surface(many: boolean, side: Side): Material & { vertexColors: boolean } {
  const options = { side, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
  if (!many) return new MeshLambertMaterial(options);
  // Flat faces look the same, and machines without a graphics card draw them twice as fast.
  const material = new MeshBasicMaterial(options);
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace("#include <color_vertex>", LIT);
  };
  return material;
}
