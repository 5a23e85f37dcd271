//! Surfaces of elastic bodies in a glTF file: a mesh with a morph target per frame, whose weights are
//! animated so that each frame is shown at its time and blended into the next.

use serde_json::json;

use super::{File, INDICES, UNSIGNED, VERTICES};
use crate::report::colours::of_surface;
use crate::report::document::Motion;

/// Frames that become morph targets, at most: each holds all vertices.
const MOST_TARGETS: usize = 100;

impl File {
    /// Nodes of all surfaces; `frames` and `time` are those of the animation.
    pub(super) fn surfaces(
        &mut self,
        motion: &Motion,
        frames: &[usize],
        time: &[f32],
    ) -> Vec<usize> {
        let total: usize = motion.scene.surfaces.iter().map(|s| s.vertices).sum();
        let every = frames.len().div_ceil(MOST_TARGETS).max(1);
        // Every so many frames, and the last.
        let mut kept: Vec<usize> = (0..frames.len()).step_by(every).collect();
        if let Some(last) = frames.len().checked_sub(1)
            && kept.last() != Some(&last)
        {
            kept.push(last);
        }
        let mut nodes = Vec::new();
        let mut first = 0;
        for (k, surface) in motion.scene.surfaces.iter().enumerate() {
            let at = |frame: usize| {
                let start = 3 * (frame * total + first);
                &motion.surface_position.0[start..start + 3 * surface.vertices]
            };
            let (Some(&start), false) = (frames.first(), surface.triangles.0.is_empty()) else {
                continue;
            };
            let base = at(start).to_vec();
            let positions = self.floats(&base, 3, Some(VERTICES), true);
            let bytes: Vec<u8> = (surface.triangles.0.iter())
                .flat_map(|i| i.to_le_bytes())
                .collect();
            let count = surface.triangles.0.len();
            let indices = self.accessor(&bytes, count, UNSIGNED, "SCALAR", Some(INDICES), None);
            let mut targets = Vec::new();
            for &f in &kept[1..] {
                let moved = at(frames[f]).iter().zip(&base).map(|(x, b)| x - b);
                let moved: Vec<f32> = moved.collect();
                targets.push(json!({"POSITION": self.floats(&moved, 3, Some(VERTICES), true)}));
            }
            let material = self.material(of_surface(&motion.scene, k));
            let mut primitive = json!({
                "attributes": {"POSITION": positions},
                "indices": indices,
                "material": material,
            });
            let n = targets.len();
            let mut mesh = json!({"name": surface.name});
            if n > 0 {
                primitive["targets"] = json!(targets);
                mesh["weights"] = json!(vec![0.0; n]);
            }
            mesh["primitives"] = json!([primitive]);
            self.meshes.push(mesh);
            self.nodes
                .push(json!({"name": surface.name, "mesh": self.meshes.len() - 1}));
            let node = self.nodes.len() - 1;
            nodes.push(node);
            if n > 0 {
                let times: Vec<f32> = kept.iter().map(|f| time[*f]).collect();
                let input = self.floats(&times, 1, None, true);
                // At the k-th time the k-th target alone counts; the first frame is the mesh itself.
                let mut weights = vec![0.0; kept.len() * n];
                for k in 1..kept.len() {
                    weights[k * n + k - 1] = 1.0;
                }
                self.channel(node, "weights", input, &weights, 1);
            }
            first += surface.vertices;
        }
        nodes
    }
}
